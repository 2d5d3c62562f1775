import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { type BackupKeys, readBackupFile } from "#db/backup/backup-file"
import { type LoadedBackup, loadBackup } from "#db/backup/load-backup"
import { connectEmbedded } from "#db/embedded-postgres"
import { createPool } from "#db/pool"
import { createDb } from "#db/transaction"
import { verifyBooks, verifyingPool } from "#domain/overviews/ledger-checks/verify-books"
import { createLog } from "#kit/log"
import { StartError } from "#kit/start-error"
import { askProvider } from "./ask-provider.ts"
import { type Env, readEnv } from "./env.ts"
import { runCommand } from "./run-command.ts"
import { restoreSecretsFile } from "./secrets-file.ts"
import { suspendAfterRestore } from "./suspend-after-restore.ts"

const usage = "Uso: npm run restore -- ARQUIVO [--verify]"

const log = createLog("silent")

/** Files that may lie in DATA_DIR before its database does. */
const harmless = ["secrets.key", "lost+found"]

/**
 * `npm run restore -- FILE` fills an empty place: a DATABASE_URL without tables, else a DATA_DIR without a database. With
 * `--verify` it fills a database of its own instead, checks it and throws it away. Exit 1 on any difference or failure.
 */
async function run(): Promise<number> {
  const options = process.argv.slice(2)
  const [path, ...others] = options.filter((option) => option !== "--verify")
  if (path === undefined || path.startsWith("-") || others.length > 0) throw new StartError(usage)
  const env = readEnv(process.env)
  return options.includes("--verify") ? tryOut(env, resolve(path)) : restore(env, resolve(path))
}

async function restore(env: Env, path: string): Promise<number> {
  const loaded =
    env.databaseUrl === null ? await fillDataDir(env, path) : await fill(env.databaseUrl, env.backupKeys, path)
  tell(`Restaurado: ${loaded.rows} linhas, como estavam em ${momentOf(loaded)} (versão ${loaded.about.version}).`)
  tell("Os saques ficam suspensos até que um administrador ligue WITHDRAWALS_ENABLED em Configurações.")
  await restoreKeys(env, loaded)
  return 0
}

async function fillDataDir({ dataDir, backupKeys }: Env, path: string): Promise<LoadedBackup> {
  const isThere = (await stat(dataDir).catch(() => null)) !== null
  const entries = isThere ? await readdir(dataDir) : []
  if (entries.some((name) => !harmless.includes(name))) {
    throw new StartError(`DATA_DIR (${dataDir}) não está vazia: restaure em uma pasta que ainda não existe.`)
  }
  try {
    return await fillOwn(dataDir, true, (url) => fill(url, backupKeys, path))
  } catch (error) {
    const added = isThere ? (await readdir(dataDir)).filter((name) => !harmless.includes(name)) : [""]
    for (const name of added) await rm(join(dataDir, name), { recursive: true, force: true })
    throw error
  }
}

async function fillOwn<Result>(dataDir: string, isDurable: boolean, run: (url: string) => Promise<Result>) {
  const embedded = await connectEmbedded({ dataDir, log, isDurable })
  try {
    return await run(embedded.url)
  } finally {
    await embedded.stop()
  }
}

async function fill(ownerUrl: string, keys: BackupKeys | null, path: string): Promise<LoadedBackup> {
  const loaded = await loadBackup({ ownerUrl, log, records: readBackupFile(path, keys) })
  const pool = createPool({ url: ownerUrl, max: 1, applicationName: "tilinta restore" })
  try {
    await suspendAfterRestore(createDb(pool))
  } finally {
    await pool.end()
  }
  return loaded
}

async function restoreKeys(env: Env, { secrets }: LoadedBackup): Promise<void> {
  const file = join(env.dataDir, "secrets.key")
  if (env.secretsKey !== null) return
  if (secrets === null) return tell(`Traga de volta ${file} ou SECRETS_KEY: as chaves não estão no backup.`)
  const outcome = await restoreSecretsFile(env, secrets)
  tell(outcome === "written" ? `As chaves dos segredos estão em ${file}.` : `${file} já existia e ficou como estava.`)
}

/** A database of its own, without waiting for the disk. */
async function tryOut(env: Env, path: string): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), "tilinta-restore-"))
  try {
    return await fillOwn(dataDir, false, (url) => tryOutIn(env, path, url))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function tryOutIn(env: Env, path: string, url: string): Promise<number> {
  const begin = Date.now()
  const loaded = await fill(url, env.backupKeys, path)
  tell(`${loaded.rows} linhas, como estavam em ${momentOf(loaded)} (versão ${loaded.about.version}).`)
  tell("Contas, pagamentos, lançamentos, saques e a ponta da corrente são os do backup, até o último centavo.")
  const pool = createPool({ url, ...verifyingPool })
  try {
    const db = createDb(pool)
    const { postings, differences } = await verifyBooks(db)
    for (const { what, expected, found } of differences) {
      tell(`DIFERENÇA: ${what}: esperado ${expected}, encontrado ${found}`)
    }
    if (differences.length === 0) tell(`Tudo confere: ${postings} lançamentos, saldos e totais sem nenhuma diferença.`)
    for await (const line of askProvider(env, db, new Date(loaded.about.takenAt))) tell(line)
    tell(`Restaurado e conferido em ${Math.round((Date.now() - begin) / 1_000)} s.`)
    return differences.length === 0 ? 0 : 1
  } finally {
    await pool.end()
  }
}

const momentFormat = new Intl.DateTimeFormat("pt-BR", {
  dateStyle: "short",
  timeStyle: "medium",
  timeZone: "America/Sao_Paulo",
})

function momentOf({ about }: LoadedBackup): string {
  return momentFormat.format(new Date(about.takenAt))
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

await runCommand({ usage, failure: "A restauração falhou", run })

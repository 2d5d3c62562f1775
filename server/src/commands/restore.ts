import { access, mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { hostname, tmpdir, userInfo } from "node:os"
import { basename, join, resolve } from "node:path"
import { type BackupKeys, readBackupFile } from "#db/backup/backup-file"
import { type LoadedBackup, loadBackup } from "#db/backup/load-backup"
import { connectEmbedded } from "#db/embedded-postgres"
import { createPool } from "#db/pools"
import { messageOf } from "#db/route"
import { createDb } from "#db/transaction"
import { StartError } from "#kit/errors"
import { createLog } from "#kit/log"
import { verifyingPool } from "#overviews/ledger-checks/check"
import { recordRestoreCheck } from "#platform/backups/request"
import { type Env, readEnv } from "#start/env"
import { restoreSecretsFile } from "#start/secrets-file"
import { checkRestored, suspendAfterRestore } from "./check-restored.ts"
import { withOwnDatabase } from "./own-database.ts"
import { runCommand } from "./run-command.ts"

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
  const { databaseUrl, backupKeys } = env
  const loaded = databaseUrl === null ? await fillDataDir(env, path) : await fill(databaseUrl, backupKeys, path)
  print(`Restaurado: ${loaded.rows} linhas, como estavam em ${momentOf(loaded)} (versão ${loaded.about.version}).`)
  print("Os saques ficam suspensos até que um administrador ligue WITHDRAWALS_ENABLED em Configurações.")
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

function fill(ownerUrl: string, keys: BackupKeys | null, path: string): Promise<LoadedBackup> {
  return loadBackup({ ownerUrl, log, records: readBackupFile(path, keys), beforeCommit: suspendAfterRestore })
}

async function restoreKeys(env: Env, { secrets }: LoadedBackup): Promise<void> {
  const file = join(env.dataDir, "secrets.key")
  if (env.secretsKey !== null) return
  if (secrets === null) return print(`Traga de volta ${file} ou SECRETS_KEY: as chaves não estão no backup.`)
  const outcome = await restoreSecretsFile(env, secrets)
  print(outcome === "written" ? `As chaves dos segredos estão em ${file}.` : `${file} já existia e ficou como estava.`)
}

/** A database of its own, without waiting for the disk. Sistema and `npm run doctor` tell of it afterwards. */
async function tryOut(env: Env, path: string): Promise<number> {
  await access(path)
  const begin = Date.now()
  const dataDir = await mkdtemp(join(tmpdir(), "tilinta-restore-"))
  const check = { file: basename(path), takenAt: null, rowCount: null, differenceCount: null, error: null }
  try {
    const tried = await fillOwn(dataDir, false, (url) => tryOutIn(env, path, url))
    const seconds = secondsSince(begin)
    print(`Restaurado e conferido em ${seconds} s.`)
    print(await noteCheck(env, { ...check, ...tried, seconds }))
    return tried.differenceCount === 0 ? 0 : 1
  } catch (error) {
    const line = error instanceof StartError ? error.message : messageOf(error)
    await noteCheck(env, { ...check, error: line, seconds: secondsSince(begin) })
    throw error
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function tryOutIn(env: Env, path: string, url: string) {
  const loaded = await fill(url, env.backupKeys, path)
  print(`${loaded.rows} linhas, como estavam em ${momentOf(loaded)} (versão ${loaded.about.version}).`)
  print("Contas, pagamentos, lançamentos, saques e a ponta da corrente são os do backup, até o último centavo.")
  const pool = createPool({ url, ...verifyingPool })
  try {
    const differenceCount = await checkRestored(env, createDb(pool), loaded, print)
    return { takenAt: new Date(loaded.about.takenAt), rowCount: loaded.rows, differenceCount }
  } finally {
    await pool.end()
  }
}

type Tried = Omit<Parameters<typeof recordRestoreCheck>[1], "finishedAt" | "checkedBy">

/** Says who knows: only the terminal when the installation is on another machine. */
async function noteCheck(env: Env, tried: Tried): Promise<string> {
  try {
    await withOwnDatabase(env, { max: 1, applicationName: "tilinta restore" }, (db) =>
      recordRestoreCheck(db, { ...tried, finishedAt: new Date(), checkedBy: whoAmI() }),
    )
    return "A tela Sistema e npm run doctor mostram o resultado."
  } catch (error) {
    return `Sistema não fica sabendo: ${messageOf(error)}`
  }
}

function secondsSince(begin: number): number {
  return Math.round((Date.now() - begin) / 1_000)
}

/** A container's uid may have no name. */
function whoAmI(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    return `uid ${process.getuid?.()}@${hostname()}`
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

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

await runCommand({ usage, failure: "A restauração falhou", run })

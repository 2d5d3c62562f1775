import { stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { writeBackupFile } from "#db/backup/backup-file"
import { takeBackup } from "#db/backup/take-backup"
import { connectEmbedded } from "#db/embedded-postgres"
import { createLog } from "#kit/log"
import { StartError } from "#kit/start-error"
import { version } from "#kit/version"
import { type Env, readEnv } from "./env.ts"
import { readSecretsFile } from "./secrets-file.ts"

const log = createLog("silent")

/** `npm run backup -- FILE`: the database as it is at one moment, beside running servers. Exit 1 when it failed. */
async function main(): Promise<void> {
  const [path, ...others] = process.argv.slice(2)
  if (path === undefined || others.length > 0) throw new StartError("Uso: npm run backup -- ARQUIVO")
  const env = readEnv(process.env)
  const embedded = env.databaseUrl === null ? await openOwnDatabase(env) : null
  try {
    const ownerUrl = env.databaseUrl ?? embedded?.url ?? ""
    // In clear text the keys would lie beside what they encrypt.
    const secrets = env.backupKeys === null ? null : await readSecretsFile(env)
    const records = takeBackup({ ownerUrl, log, version, secrets })
    const bytes = await writeBackupFile(resolve(path), env.backupKeys, records)
    const how = env.backupKeys === null ? "sem cifra" : `cifrado com a chave ${env.backupKeys[0].id}`
    process.stdout.write(`Backup gravado em ${resolve(path)}: ${bytes} bytes, ${how}.\n`)
    const owed = env.backupKeys !== null || env.secretsKey !== null
    if (!owed) process.stdout.write(`Guarde também ${join(env.dataDir, "secrets.key")}, que não está no backup.\n`)
  } finally {
    await embedded?.stop()
  }
}

/** A folder without a database is never filled with an empty one. */
async function openOwnDatabase({ dataDir }: Env) {
  const known = await stat(join(dataDir, "postgres", "PG_VERSION")).catch(() => null)
  if (known === null) throw new StartError(`Não há banco de dados em DATA_DIR (${dataDir}), e DATABASE_URL está vazia.`)
  return connectEmbedded({ dataDir, log })
}

main().catch((error: unknown) => {
  const line = error instanceof StartError ? error.message : `O backup falhou: ${String(error)}`
  process.stderr.write(`${line}\n`)
  process.exitCode = 1
})

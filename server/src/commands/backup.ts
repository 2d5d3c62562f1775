import { join, resolve } from "node:path"
import { writeBackupFile } from "#db/backup/backup-file"
import { takeBackup } from "#db/backup/take-backup"
import { StartError } from "#kit/errors"
import { createLog } from "#kit/log"
import { version } from "#kit/machine"
import { readEnv } from "#start/env"
import { readSecretsFile } from "#start/secrets-file"
import { withOwnerUrl } from "./own-database.ts"
import { runCommand } from "./run-command.ts"

const log = createLog("silent")
const usage = "Uso: npm run backup -- ARQUIVO"

/** `npm run backup -- FILE`: the database as it is at one moment, while servers run. Exit 1 when it failed. */
async function run(): Promise<number> {
  const [path, ...others] = process.argv.slice(2)
  if (path === undefined || path.startsWith("-") || others.length > 0) throw new StartError(usage)
  const env = readEnv(process.env)
  // In clear text the keys would lie next to what they encrypt.
  const secrets = env.backupKeys === null ? null : await readSecretsFile(env)
  const bytes = await withOwnerUrl(env, (ownerUrl) =>
    writeBackupFile(resolve(path), env.backupKeys, takeBackup({ ownerUrl, log, version, secrets })),
  )
  const how = env.backupKeys === null ? "sem cifra" : `cifrado com a chave ${env.backupKeys[0].id}`
  process.stdout.write(`Backup gravado em ${resolve(path)}: ${bytes} bytes, ${how}.\n`)
  const isOwed = env.backupKeys === null && env.secretsKey === null
  if (isOwed) process.stdout.write(`Guarde também ${join(env.dataDir, "secrets.key")}, que não está no backup.\n`)
  return 0
}

await runCommand({ usage, failure: "O backup falhou", run })

import { mkdir, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { unfinishedEnding, writeBackupFile } from "#db/backup/backup-file"
import { takeBackup } from "#db/backup/take-backup"
import type { Logger } from "#kit/log"
import { version } from "#kit/version"
import type { Env } from "./env.ts"
import { readSecretsFile } from "./secrets-file.ts"

type UpgradeEnv = Pick<Env, "dataDir" | "backupKeys" | "secretsKey">

/** The newest ones, in case that an upgrade turns out to be wrong only later. */
const keptFiles = 2

/**
 * An embedded database has nobody who copies it before an upgrade: this file is the way back to the former version. It
 * lies beside the database, which it tells no more than.
 */
export async function backUpBeforeUpgrade(env: UpgradeEnv, ownerUrl: string, log: Logger, next: string): Promise<void> {
  const folder = join(env.dataDir, "before-upgrade")
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // A start that was killed while it copied; only one at a time has the database.
  const left = (await readdir(folder)).filter((name) => name.endsWith(unfinishedEnding))
  for (const name of left) await rm(join(folder, name), { force: true })
  const moment = new Date().toISOString().replaceAll(/[:.]/g, "-")
  const path = join(folder, `${moment}-${next.replace(/\.sql$/, "")}.backup`)
  const secrets = env.backupKeys === null ? null : await readSecretsFile(env)
  await writeBackupFile(path, env.backupKeys, takeBackup({ ownerUrl, log, version, secrets }))
  log.info({ file: path }, "the database was copied before its upgrade")
  const files = (await readdir(folder)).filter((name) => name.endsWith(".backup")).toSorted()
  for (const name of files.slice(0, -keptFiles)) await rm(join(folder, name))
}

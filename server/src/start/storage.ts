import { mkdir, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { unfinishedEnding, writeBackupFile } from "#db/backup/backup-file"
import { takeBackup } from "#db/backup/take-backup"
import { createTableExports } from "#db/exports"
import { migrate } from "#db/migrate"
import { openPools } from "#db/pools"
import { openServingRoute } from "#db/roles"
import { createEvents } from "#events/events"
import type { Logger } from "#kit/log"
import { version } from "#kit/machine"
import { mostExports } from "#platform/audit/export"
import type { Storage } from "./deps.ts"
import type { Env } from "./env.ts"
import { readSecretsFile } from "./secrets-file.ts"
import type { Starting } from "./shared-parts.ts"

/** Brings the schema up to date first. */
export async function openStorage({ env, log, shutdown }: Starting, ownerUrl: string): Promise<Storage> {
  const beforeUpgrade = (next: string) => backUpBeforeUpgrade(env, ownerUrl, log, next)
  await migrate({ ownerUrl, log, ...(env.databaseUrl === null && { beforeUpgrade }) })
  const route = await openServingRoute({ ownerUrl, log })

  const pools = openPools({ route, log })
  shutdown.add({ name: "database connections", limitMs: 500, stop: pools.stop })

  const tableExports = createTableExports({ url: route, max: mostExports, log })
  shutdown.add({ name: "exports", limitMs: 500, stop: () => tableExports.stop() })

  const events = createEvents({ url: route, log })
  shutdown.add({ name: "events", limitMs: 500, stop: () => events.stop() })
  return { pools, route, tableExports, events }
}

type UpgradeEnv = Pick<Env, "dataDir" | "backupKeys" | "secretsKey">

/** The newest ones, in case that an upgrade turns out to be wrong only later. */
const keptFiles = 2

/**
 * An embedded database has nobody who copies it before an upgrade: this file is the way back to the former version. It
 * lies in the database's own DATA_DIR, so it gives nothing away that the database doesn't.
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

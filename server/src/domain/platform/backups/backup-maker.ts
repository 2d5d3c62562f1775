import { mkdir, readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { backupLock } from "#db/advisory-locks"
import { unfinishedEnding } from "#db/backup/backup-file"
import type { DatabaseRoute } from "#db/database-route"
import { takeLock } from "#db/held-lock"
import { createPool } from "#db/pool"
import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"
import { newId } from "#kit/ids"
import type { Logger } from "#kit/log"
import { finishBackupRow, insertBackup } from "./backups-repository.ts"
import { backupName, endedBackups, unfinishedBackups } from "./kept-backups.ts"

const abandonedAfterMs = 3_600_000

interface Deps {
  url: string | DatabaseRoute
  db: Db
  clock: Clock
  log: Logger
  /** BACKUP_DIR; null where the server makes no backups. */
  folder: string | null
  isEncrypted: boolean
  /** Writes a whole file or none, and returns its size. The signal ends it early. */
  write(path: string, signal: AbortSignal): Promise<number>
}

export interface BackupMaker {
  isOn: boolean
  isEncrypted: boolean
  /** The backup itself is made in the background. 'running' when one is being made already, on any node. */
  start(requestedBy: Actor | null): Promise<"started" | "running" | "off">
  /** Resolves when the backup started by this node has ended. */
  idle(): Promise<void>
  stop(): Promise<void>
}

export function createBackupMaker(deps: Deps): BackupMaker {
  const { url, db, clock, log, folder, isEncrypted } = deps
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()

  async function start(requestedBy: Actor | null): Promise<"started" | "running" | "off"> {
    if (folder === null) return "off"
    const pool = createPool({ url, max: 1, applicationName: "tilinta backup", log })
    const holder = await takeLock(pool, backupLock)
    if (holder === null) return "running"
    const startedAt = clock.now()
    const backup = { id: newId(), requestedBy, startedAt, file: backupName(startedAt) }
    try {
      await db.transaction().execute((tx) => recordStart(tx, backup))
    } catch (error) {
      await holder.letGo()
      throw error
    }
    running = make(deps, folder, { ...backup, signal: stopping.signal }).finally(() => holder.letGo())
    running.catch((error: unknown) => log.error({ err: error }, "a backup could not be recorded"))
    return "started"
  }

  return {
    ...{ isOn: folder !== null, isEncrypted, start },
    idle: () => running,
    async stop() {
      stopping.abort()
      await running.catch(() => undefined)
    },
  }
}

interface Started {
  id: string
  requestedBy: Actor | null
  startedAt: Date
  file: string
}

async function recordStart(tx: Tx, { id, requestedBy, startedAt, file }: Started): Promise<void> {
  await insertBackup(tx, { id, startedAt, file, requestedBy: requestedBy?.id ?? null })
  if (requestedBy === null) return
  const entry = { actor: requestedBy, happenedAt: startedAt, entity: "backup", entityId: id } as const
  await recordAudit(tx, { ...entry, action: "backup.requested", before: null, after: { file } })
}

async function make(
  deps: Deps,
  folder: string,
  { id, file, signal }: Started & { signal: AbortSignal },
): Promise<void> {
  const { db, clock, log, write } = deps
  let sizeBytes: number | null = null
  let error: string | null = null
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await deleteAbandoned(folder, clock.now())
    sizeBytes = await write(join(folder, file), signal)
    await deleteEnded(folder, clock.now())
  } catch (reason) {
    await rm(`${join(folder, file)}${unfinishedEnding}`, { force: true })
    if (signal.aborted) return
    error = reason instanceof Error ? reason.message : String(reason)
    log.error({ err: reason, alarm: "backup_failed" }, "a backup failed")
  }
  const result = { finishedAt: clock.now(), sizeBytes, error }
  await db.transaction().execute((tx) => finishBackupRow(tx, id, result))
}

/** Before anything is written, because they may have filled the disk. One that is still being written changes all the time. */
async function deleteAbandoned(folder: string, now: Date): Promise<void> {
  for (const file of unfinishedBackups(await readdir(folder))) {
    const path = join(folder, file)
    const changedAt = (await stat(path).catch(() => null))?.mtimeMs ?? now.getTime()
    if (now.getTime() - changedAt > abandonedAfterMs) await rm(path, { force: true })
  }
}

async function deleteEnded(folder: string, now: Date): Promise<void> {
  for (const file of endedBackups(await readdir(folder), now)) await rm(join(folder, file), { force: true })
}

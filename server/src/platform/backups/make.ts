import { mkdir, readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { unfinishedEnding } from "#db/backup/backup-file"
import { createPool } from "#db/pools"
import type { DatabaseRoute } from "#db/route"
import { backupLock, type Db, type Tx, takeLock } from "#db/transaction"
import { type Clock, type Day, saoPauloDay } from "#kit/clock"
import { newId } from "#kit/ids"
import type { Logger } from "#kit/log"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { finishBackupRow, insertBackup } from "./table.ts"

const abandonedAfterMs = 3_600_000

/** The operator's decisions about backups. */
export interface BackupPlan {
  /** BACKUP_DIR, where the server puts one a day; null where it makes none. */
  folder: string | null
  /** The operator says that another program makes them. */
  isElsewhere: boolean
  isEncrypted: boolean
  /** Real money, and backups in clear text. */
  isExposed: boolean
  isRealMoney: boolean
}

interface Deps {
  url: string | DatabaseRoute
  db: Db
  clock: Clock
  log: Logger
  plan: BackupPlan
  /** Writes a whole file or none, and returns its size. The signal ends it early. */
  write(path: string, signal: AbortSignal): Promise<number>
}

export interface BackupMaker {
  plan: BackupPlan
  /** The backup itself is made in the background. 'running' when one is being made already, on any node. */
  start(requestedBy: Actor | null): Promise<"started" | "running" | "off">
  /** Resolves when the backup started by this node has ended. */
  idle(): Promise<void>
  stop(): Promise<void>
}

export function createBackupMaker(deps: Deps): BackupMaker {
  const { url, db, clock, log, plan } = deps
  const { folder } = plan
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
    plan,
    start,
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

/** How many days, weeks and months keep a backup, each its newest. */
const keeps = { days: 7, weeks: 4, months: 12 }
const dayMs = 86_400_000
const name = /^tilinta-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z\.backup$/

export function backupName(moment: Date): string {
  return `tilinta-${moment.toISOString().replaceAll(/[:.]/g, "-")}.backup`
}

/** Our own files that a killed backup may have left. A name doesn't say whether its file is still being written. */
export function unfinishedBackups(files: readonly string[]): string[] {
  return files.filter((file) => file.endsWith(unfinishedEnding) && momentOf(file.slice(0, -unfinishedEnding.length)))
}

/** Null for a file of somebody else's. */
function momentOf(file: string): Date | null {
  const [, day, hour, minute, second, fraction] = name.exec(file) ?? []
  return day === undefined ? null : new Date(`${day}T${hour}:${minute}:${second}.${fraction}Z`)
}

/** Files whose time is over: those of the last day stay, and of each older day, week and month the newest one. */
export function endedBackups(files: readonly string[], now: Date): string[] {
  const known = files
    .flatMap((file) => {
      const moment = momentOf(file)
      return moment === null ? [] : [{ file, moment, day: saoPauloDay(moment) }]
    })
    .toSorted((a, b) => b.moment.getTime() - a.moment.getTime())
  const kept = new Set(known.filter(({ moment }) => now.getTime() - moment.getTime() < dayMs).map(({ file }) => file))
  for (const [spanOf, count] of [
    [(day: Day) => day, keeps.days],
    [weekOf, keeps.weeks],
    [(day: Day) => day.slice(0, 7), keeps.months],
  ] as const) {
    const newest = [...Map.groupBy(known, ({ day }) => spanOf(day)).values()].slice(0, count)
    for (const [first] of newest) if (first !== undefined) kept.add(first.file)
  }
  return known.flatMap(({ file }) => (kept.has(file) ? [] : [file]))
}

/** The week's number since a Monday. */
function weekOf(day: Day): number {
  return Math.floor((Date.parse(`${day}T00:00:00Z`) / dayMs + 3) / 7)
}

import { backupLock, type Db, isLockHeld, type Tx } from "#db/transaction"
import { type Clock, saoPauloDay } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import type { Logger } from "#kit/log"
import type { Actor } from "#platform/audit/rules"
import type { BackupMaker } from "./make.ts"
import {
  type Backup,
  findLatestBackup,
  findLatestDone,
  findLatestRestoreCheck,
  insertRestoreCheck,
  type RestoreCheck,
} from "./table.ts"

/** One at a time across all nodes. */
export async function requestBackup({ backupMaker }: { backupMaker: BackupMaker }, admin: Actor): Promise<void> {
  const outcome = await backupMaker.start(admin)
  if (outcome === "off") throw new DomainError("backups_off")
  if (outcome === "running") throw new DomainError("backup_running")
}

interface DailyDeps {
  db: Db
  clock: Clock
  log: Logger
  backupMaker: BackupMaker
}

const hourMs = 3_600_000
/** One of every day, and the hours that a large one may take. */
const oldestBackupHours = 36

/** Once a day from two in the morning of São Paulo on, and after a failure once an hour until one succeeds. */
export async function backUpDaily({ db, clock, log, backupMaker }: DailyDeps): Promise<void> {
  if (backupMaker.plan.folder === null) return
  const now = clock.now()
  const [last, done] = await Promise.all([findLatestBackup(db), findLatestDone(db)])
  const since = done ?? last
  if (since !== undefined && now.getTime() - since.startedAt.getTime() > oldestBackupHours * hourMs) {
    log.error({ alarm: "backup_too_old", lastStartedAt: done?.startedAt ?? null }, "the last backup is too old")
  }
  if (isDue(now, last, done)) await backupMaker.start(null)
}

function isDue(now: Date, last: Backup | undefined, done: Backup | undefined): boolean {
  const isOfToday = done !== undefined && workDay(done.startedAt) === workDay(now)
  return !isOfToday && (last?.id === done?.id || now.getTime() - (last?.startedAt.getTime() ?? 0) > hourMs)
}

/** Days that begin at two. */
function workDay(moment: Date): string {
  return saoPauloDay(new Date(moment.getTime() - 2 * hourMs))
}

export interface BackupState {
  isRunning: boolean
  /** The last one started, whatever its outcome. */
  last: Backup | null
  /** The last one that was finished. */
  done: Backup | null
  /** The last try of a restore. */
  restoreCheck: RestoreCheck | null
}

export async function readBackupState(db: Db): Promise<BackupState> {
  const [last = null, done = null, restoreCheck = null, isHeld] = await Promise.all([
    findLatestBackup(db),
    findLatestDone(db),
    findLatestRestoreCheck(db),
    isLockHeld(db, backupLock),
  ])
  return { isRunning: isHeld && last?.finishedAt === null, last, done, restoreCheck }
}

/** For Sistema and `npm run doctor`: a backup is worth what its last restore was. */
export async function recordRestoreCheck(db: Db, check: RestoreCheck): Promise<void> {
  await db.transaction().execute((tx) => record(tx, check))
}

async function record(tx: Tx, check: RestoreCheck): Promise<void> {
  await insertRestoreCheck(tx, { ...check, id: newId() })
}

import { backupLock } from "#db/advisory-locks"
import { isLockHeld } from "#db/held-lock"
import type { Db } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import type { Logger } from "#kit/log"
import { saoPauloDay } from "#kit/sao-paulo-day"
import type { BackupMaker } from "./backup-maker.ts"
import { type Backup, findLatestBackup, findLatestDone } from "./backups-repository.ts"
import { findLatestRestoreCheck, type RestoreCheck } from "./restore-checks-repository.ts"

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
  if (!backupMaker.isOn) return
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

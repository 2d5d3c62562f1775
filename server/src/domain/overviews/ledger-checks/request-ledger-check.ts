import { ledgerCheckLock } from "#db/advisory-locks"
import { isLockHeld } from "#db/held-lock"
import type { Db } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { saoPauloDay } from "#kit/sao-paulo-day"
import type { LedgerChecker } from "./ledger-checker.ts"
import { findLatestCheck, findLatestResult, type LedgerCheck } from "./ledger-checks-repository.ts"

/** One at a time across all nodes. */
export async function requestLedgerCheck(
  { ledgerChecker }: { ledgerChecker: LedgerChecker },
  admin: Actor,
): Promise<void> {
  if (!(await ledgerChecker.start(admin))) throw new DomainError("ledger_check_running")
}

interface NightDeps {
  db: Db
  clock: Clock
  ledgerChecker: LedgerChecker
}

/** Runs once between three and five at night in São Paulo, when there are few payments. */
export async function checkLedgerAtNight({ db, clock, ledgerChecker }: NightDeps): Promise<void> {
  const now = clock.now()
  if (!isNight(now)) return
  const last = await findLatestCheck(db)
  if (last !== undefined && saoPauloDay(last.startedAt) === saoPauloDay(now) && isNight(last.startedAt)) return
  await ledgerChecker.start(null)
}

const hourFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", timeZone: "America/Sao_Paulo" })

function isNight(moment: Date): boolean {
  return ["03", "04"].includes(hourFormat.format(moment))
}

export interface LedgerCheckState {
  isRunning: boolean
  /** The last check started, whatever its outcome. */
  last: LedgerCheck | null
  /** The last check that completed. */
  result: LedgerCheck | null
}

export async function readLedgerCheckState(db: Db): Promise<LedgerCheckState> {
  const [last, result, isHeld] = await Promise.all([
    findLatestCheck(db),
    findLatestResult(db),
    isLockHeld(db, ledgerCheckLock),
  ])
  return { isRunning: isHeld && last?.finishedAt === null, last: last ?? null, result: result ?? null }
}

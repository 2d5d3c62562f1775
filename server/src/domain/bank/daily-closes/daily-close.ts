import type { CloseKind, DifferenceKind, DifferenceProblem } from "@tilinta/contract/vocabulary/daily-close"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { type Day, daysAfter, startOfDay } from "#kit/sao-paulo-day"
import type { Psp } from "#psp/psp"

export interface CloseDeps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

/** One São Paulo day at one provider: our books against the bank's lists. */
export interface DailyClose {
  id: string
  provider: string
  day: Day
  /** Null until the first comparison. */
  closedAt: Date | null
  comparisons: number
  attempts: number
  lastError: string | null
  differenceCount: number
  mendedCount: number
  /** Null when nothing is left to do. */
  nextAttemptAt: Date | null
}

export interface CloseTotals {
  kind: CloseKind
  ours: { count: number; amountCents: Cents }
  bank: { count: number; amountCents: Cents }
}

export interface CloseDifference {
  kind: DifferenceKind
  /** The bank's reference, or our account. */
  reference: string
  problem: DifferenceProblem
  ourCents: Cents | null
  bankCents: Cents | null
  ourState: string | null
  bankState: string | null
  happenedAt: Date | null
  /** True when we lacked it and the close booked it. */
  isMended: boolean
}

const HOUR_SECONDS = 3600
/** Banks list some entries of a day late. */
export const SETTLING_HOURS = 3

/** Banks may settle late: a day with differences is compared again, and then left to an admin. */
export const RECHECK_SECONDS = 6 * HOUR_SECONDS
const MOST_COMPARISONS = 4

export function isComparedAgain({ comparisons }: Pick<DailyClose, "comparisons">): boolean {
  return comparisons < MOST_COMPARISONS
}

/** By the time zone's own rules, like every total, so that a return of summer time makes no difference. */
export function boundsOf(day: Day): { from: Date; to: Date } {
  return { from: startOfDay(day), to: startOfDay(daysAfter(day, 1)) }
}

export function comparableFrom(day: Day): Date {
  return secondsAfter(boundsOf(day).to, SETTLING_HOURS * HOUR_SECONDS)
}

/** Refund ids are unique only within their payment. */
export function refundReference(endToEndId: string, pspRefundId: string): string {
  return `${endToEndId}/${pspRefundId}`
}

import type { CloseKind, DifferenceKind, DifferenceProblem } from "@tilinta/contract/vocabulary/books"
import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import { type Clock, type Day, daysAfter, secondsAfter, startOfDay } from "#kit/clock"
import type { Psp } from "#psp/psp"

export interface CloseDeps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
  /** The statements that people import are of the bank that pays now. */
  isFormer?: boolean
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

/** The bank's balance and that of our account, both as of one moment. */
export interface BankBalance {
  at: Date
  bankCents: Cents
  ourCents: Cents
  /** The part of bank − ours that money under way does not explain. */
  differenceCents: Cents
  /** Null when the provider told it. */
  typedBy: string | null
  /** Null when the difference is final. */
  readAgainUntil: Date | null
}

export interface OurMoney {
  clearingCents: Cents
  /** Payouts and refunds that may have left the bank already. */
  underWayCents: Cents
}

/** Between two readings of our books the bank's balance may lie anywhere from the least to the most of both. */
export function unexplainedCents(bankCents: Cents, readings: readonly OurMoney[]): Cents {
  const most = Math.max(...readings.map(({ clearingCents }) => clearingCents)) as Cents
  const least = Math.min(
    ...readings.map(({ clearingCents, underWayCents }) => subtractCents(clearingCents, underWayCents)),
  ) as Cents
  if (bankCents > most) return subtractCents(bankCents, most)
  return bankCents < least ? subtractCents(bankCents, least) : noMoney
}

/** A credit of the bank's may be booked later: its figure is explained once our account has reached it. */
export function compareAgain(balance: BankBalance, money: OurMoney): BankBalance {
  const { bankCents } = balance
  const left = unexplainedCents(bankCents, [money])
  const differenceCents = Math.max(noMoney, Math.min(balance.differenceCents, left)) as Cents
  const distance = (cents: Cents) => Math.abs(subtractCents(bankCents, cents))
  const isNearer = distance(money.clearingCents) < distance(balance.ourCents)
  return { ...balance, differenceCents, ourCents: isNearer ? money.clearingCents : balance.ourCents }
}

/** The amount of sellers' debts that the fees don't make up for: other sellers' money pays it. */
export function uncoveredCents(debtsCents: Cents, feesCents: Cents): Cents {
  const left = addCents(feesCents, debtsCents)
  return left < noMoney ? subtractCents(noMoney, left) : noMoney
}

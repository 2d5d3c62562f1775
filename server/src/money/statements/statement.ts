import type { StatementOrder } from "@tilinta/contract/statements"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import {
  type Clock,
  firstDayOf,
  type Month,
  monthOf,
  monthsAfter,
  saoPauloDay,
  secondsAfter,
  startOfDay,
} from "#kit/clock"
import { isId } from "#kit/ids"
import { yieldWhenBusy } from "#kit/waiting-line"
import { readToCome } from "#money/reserves/reads"
import { findNearestWithdrawals, getWithdrawal } from "#money/withdrawals/reads"
import { isPaymentsRush } from "#platform/system/node"
import {
  findPageTitles,
  findRefundedCharges,
  findWithdrawalLines,
  readSales,
  readSlice,
  type Span,
  waitsSince,
} from "./reads.ts"
import { linesOf, type Movement, type StatementLine } from "./rules.ts"
import { closeUntil, enterSome } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

/** A fraction of a second's work, in one transaction. */
const BATCH = 10_000
/** Readers of a statement add up what is not entered yet. */
const LONGEST_WAIT_SECONDS = 60
/** As the daily close: no transaction lasts as long. */
const HOURS_UNTIL_CLOSE = 3

/** Enters what was booked since the last time into the statements, and later while payments keep the server busy. */
export async function enterMovements({ db, clock }: Deps): Promise<void> {
  const now = clock.now()
  if ((await isPaymentsRush(db, now)) && !(await waitsSince(db, secondsAfter(now, -LONGEST_WAIT_SECONDS)))) return
  await enterAll(db)
}

/** Closes the statements of every day that has ended, so that no figure of a month changes once somebody relies on it. */
export async function closeStatements({ db, clock }: Deps): Promise<void> {
  await enterAll(db)
  const until = startOfDay(saoPauloDay(secondsAfter(clock.now(), -HOURS_UNTIL_CLOSE * 3600)))
  await db.transaction().execute((tx) => closeUntil(tx, until))
}

async function enterAll(db: Db): Promise<void> {
  for (;;) {
    const entered = await db.transaction().execute((tx) => enterSome(tx, BATCH))
    if (entered < BATCH) return
  }
}

interface StatementQuery {
  sellerId: string
  /** By default the present one. */
  month: Month | undefined
  /** Oldest first by default. */
  order?: StatementOrder | undefined
  after: string | undefined
  limit: number
}

interface Statement {
  month: Month
  openingCents: Cents
  closingCents: Cents
  toComeCents: Cents
  isClosed: boolean
  lines: TitledLine[]
  next: string | null
}

/** A page of a seller's month. */
export async function readStatement(deps: { db: Db; clock: Clock }, query: StatementQuery): Promise<Statement> {
  const { order = "asc", limit } = query
  const month = query.month ?? monthAt(deps.clock.now())
  const span = spanOf(query.sellerId, month)
  const { movements, ...slice } = await readSlice(deps.db, { ...span, order, after: query.after ?? null, limit })
  const settled = movements.filter(({ isSettled }) => isSettled)
  const isLast = settled.length <= limit
  // An unsettled movement may yet get another before it, so no page ends with one. Newest first, all of them are on the first page.
  const unsettledAtTop = order === "asc" ? 0 : movements.length - settled.length
  const page = isLast ? movements : movements.slice(0, unsettledAtTop + limit)
  const toLines = order === "asc" ? linesOf : (movement: Movement) => linesOf(movement).toReversed()
  const toComeCents = await readToCome(deps.db, query.sellerId)
  return {
    month,
    ...slice,
    toComeCents,
    lines: await withTitles(deps.db, page.flatMap(toLines)),
    next: isLast ? null : (page.at(-1)?.position ?? null),
  }
}

interface WithdrawnSalesQuery {
  sellerId: string
  withdrawalId: string
  after: string | undefined
  limit: number
}

/**
 * The sales that a withdrawal paid out: those between its line in the statement and that of the seller's withdrawal before it. Money left over from
 * earlier sales is in the balance before.
 */
export async function readWithdrawnSales(
  db: Db,
  { sellerId, withdrawalId, after, limit }: WithdrawnSalesQuery,
): Promise<{ lines: TitledLine[]; next: string | null }> {
  const own = await getWithdrawal(db, { id: withdrawalId, sellerId })
  const nearest = await findNearestWithdrawals(db, own)
  // Lines, not moments: the clocks of the server that took the request and of those that booked sales may differ.
  const numbers = await findWithdrawalLines(db, sellerId, [own, ...nearest])
  const ownLine = numbers.find(({ id }) => id === own.id)
  if (ownLine === undefined) return { lines: [], next: null }
  const [before] = numbers.filter(({ number }) => number < ownLine.number).toSorted((a, b) => b.number - a.number)
  const start = after ?? before?.position ?? null
  const found = await readSales(db, { sellerId, after: start, before: ownLine.position, limit })
  const page = found.slice(0, limit)
  const lines = await withTitles(db, page.flatMap(linesOf))
  return { lines, next: found.length > limit ? (page.at(-1)?.position ?? null) : null }
}

export interface TitledLine extends StatementLine {
  /** The title of the page that was paid, as it was then; null for what is neither a sale nor its refund. */
  pageTitle: string | null
}

async function withTitles(db: Db, lines: readonly StatementLine[]): Promise<TitledLine[]> {
  const refunds = lines.filter(({ kind }) => kind === "refund" || kind === "refund_returned")
  const refundIds = refunds.map(({ reference }) => reference).filter(isId)
  const refunded = await findRefundedCharges(db, refundIds)
  const known = lines.map((line) => ({ ...line, chargeId: line.chargeId ?? refunded.get(line.reference) ?? null }))
  const ids = new Set(known.flatMap(({ chargeId }) => (chargeId === null ? [] : [chargeId])))
  const titles = await findPageTitles(db, [...ids])
  return known.map((line) => ({ ...line, pageTitle: titles.get(line.chargeId ?? "") ?? null }))
}

/** As on the screen: a sale names its page, its fee doesn't. */
export function titleOf({ kind, pageTitle }: TitledLine): string {
  return kind === "sale" ? (pageTitle ?? "") : ""
}

/** Facts of a month for a file's head. */
export interface MonthFacts extends Span {
  month: Month
  now: Date
  /** The month's end, or now. */
  until: Date
  openingCents: Cents
}

/** São Paulo's month. */
export function monthAt(moment: Date): Month {
  return monthOf(saoPauloDay(moment))
}

export function spanOf(sellerId: string, month: Month): Span {
  return { sellerId, from: startOfDay(firstDayOf(month)), to: startOfDay(firstDayOf(monthsAfter(month, 1))) }
}

const MONTHS_AT_ONCE = 1_000

/** All lines of the span, some at a time, so that a long month never fills the memory. */
export async function* linesWithin(db: Db, span: Span): AsyncGenerator<TitledLine[]> {
  let after: string | null = null
  for (;;) {
    const { movements } = await readSlice(db, { ...span, order: "asc", after, limit: MONTHS_AT_ONCE })
    const settled = movements.filter(({ isSettled }) => isSettled)
    const isLast = settled.length <= MONTHS_AT_ONCE
    const page = isLast ? movements : settled.slice(0, MONTHS_AT_ONCE)
    yield await withTitles(db, page.flatMap(linesOf))
    if (isLast) return
    after = page.at(-1)?.position ?? null
    await yieldWhenBusy()
  }
}

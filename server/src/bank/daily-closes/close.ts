import { noMoney } from "@tilinta/contract/vocabulary/money"
import { findNobodysDebits } from "#bank/bank-statements/reads"
import { readConnectedDay } from "#bank/psp-inbox/connection"
import { recordUnreadable } from "#bank/reconciliation/reconcile"
import type { Db, Tx } from "#db/transaction"
import { type Clock, type Day, daysAfter, saoPauloDay, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import { Gauge, metrics } from "#kit/metrics"
import { feeRevenue } from "#ledger/accounts"
import { readBalance, readDebts } from "#ledger/reads"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { type Psp, PspError, provenTime } from "#psp/psp"
import { readBankBalance, settleBankBalances } from "./balances.ts"
import { askByName, type Collect, collectPayouts, collectReceipts } from "./compare.ts"
import {
  adoptOurTimes,
  type BankEntry,
  type Comparison,
  compareBalance,
  compareKind,
  deleteEntries,
  deleteEntriesOfOthers,
  deleteSettledDifferences,
  findUnlisted,
  nameDebits,
  saveEntries,
} from "./compare-table.ts"
import { notifyAdminsOfClose } from "./daily-close.ts"
import { countDifferences, countOpenDifferences, findDaysSince } from "./reads.ts"
import {
  type BankBalance,
  boundsOf,
  type CloseDeps,
  comparableFrom,
  type DailyClose,
  isComparedAgain,
  RECHECK_SECONDS,
  uncoveredCents,
} from "./rules.ts"
import {
  claimDue,
  extendClaim,
  insertDaysOnce,
  insertDifferenceOnce,
  lockClose,
  postponeClose,
  reopenByStatements,
  reopenClosedEarly,
  saveBankBalance,
  updateClose,
  waitForEnd,
} from "./table.ts"

/** After a longer absence only these days are compared. */
const MOST_MISSED_DAYS = 31
/** Longer than the bank takes for a page; the lease of a crashed node expires. */
const LEASE_SECONDS = 300
const LONGEST_PAUSE_SECONDS = 3600
const MANY_ATTEMPTS = 5
/** With more questions than this the list itself is useless, which the differences then show. */
const MOST_QUESTIONS = 500

const openDifferences = new Gauge({
  name: "daily_close_differences",
  help: "Differences between our books and the bank's that nobody has mended, of the last 31 days",
  labelNames: ["provider"],
  registers: [metrics],
  aggregator: "max",
})

const uncoveredDebts = new Gauge({
  name: "uncovered_debts_cents",
  help: "Sellers' debts that the fees don't cover, in centavos",
  registers: [metrics],
})

/** Compares every ended day that is due, oldest first. Two nodes never claim the same day. */
export async function closeDays(deps: CloseDeps): Promise<void> {
  await openDays(deps)
  await settleBankBalances(deps)
  for (;;) {
    const now = provenTime(deps)
    const claim = { provider: deps.psp.name, runId: newId(), now, leaseUntil: secondsAfter(now, LEASE_SECONDS) }
    const close = await deps.db.transaction().execute((tx) => takeDue(tx, claim))
    if (close === null) break
    await closeDay(deps, close, claim.runId)
  }
  const today = saoPauloDay(provenTime(deps))
  const money = { debts: await readDebts(deps.db), fees: await readBalance(deps.db, feeRevenue) }
  uncoveredDebts.set(uncoveredCents(money.debts, money.fees))
  const open = await countOpenDifferences(deps.db, deps.psp.name, daysAfter(today, -MOST_MISSED_DAYS))
  openDifferences.set({ provider: deps.psp.name }, open)
}

async function takeDue(tx: Tx, claim: Parameters<typeof claimDue>[1]): Promise<DailyClose | null> {
  const close = await claimDue(tx, claim)
  if (close !== null) await deleteEntriesOfOthers(tx, claim.now)
  return close
}

/**
 * Inserts a row for each ended day that has none, and reopens days that were closed before their end, by a clock that
 * was ahead.
 */
async function openDays(deps: CloseDeps): Promise<void> {
  const { db, psp, log } = deps
  const now = provenTime(deps)
  const today = saoPauloDay(now)
  const connected = await readConnectedDay(db, psp.name)
  const first = daysAfter(today, -MOST_MISSED_DAYS)
  // A first start by a clock that was ahead says nothing about when the first payment came.
  const oldest = connected > first && connected <= today ? connected : first
  const reopened = await db.transaction().execute((tx) => reopenClosedEarly(tx, { provider: psp.name, today, now }))
  for (const day of reopened) {
    log.error({ alarm: "day_closed_early", day }, "a day was closed before its end, and is compared again")
  }
  if (deps.isFormer !== true)
    await db.transaction().execute((tx) => reopenByStatements(tx, { provider: psp.name, from: first, now }))
  const known = await findDaysSince(db, psp.name, oldest)
  const days: { day: Day; nextAttemptAt: Date }[] = []
  for (let day = oldest; day < today; day = daysAfter(day, 1)) {
    if (!known.has(day)) days.push({ day, nextAttemptAt: comparableFrom(day) })
  }
  if (days.length > 0) await db.transaction().execute((tx) => insertDaysOnce(tx, psp.name, days))
}

async function closeDay(deps: CloseDeps, close: DailyClose, runId: string): Promise<void> {
  const comparison = comparisonOf(deps, close, runId)
  try {
    await collectAll(deps, comparison)
    const now = provenTime(deps)
    // Before the first answer only our clock was known, and the bank's may say that the day hasn't ended.
    if (now < comparison.to) return await leaveForLater(deps, close, runId)
    const balance = await readBankBalance(deps)
    const closed = await deps.db
      .transaction()
      .execute((tx) => finish(tx, { ...comparison, balance, hasStatements: deps.isFormer !== true }, now))
    if (closed === null) return
    reportOn(deps, closed)
    await reportDebts(deps, closed)
  } catch (error) {
    await postpone(deps, close, runId, error)
  }
}

function comparisonOf({ psp }: CloseDeps, { id, provider, day }: DailyClose, runId: string): Comparison {
  const kinds = psp.payouts === null ? (["receipt", "refund"] as const) : (["receipt", "refund", "payout"] as const)
  return { closeId: id, runId, provider, providerLabel: psp.label, ...boundsOf(day), kinds: [...kinds] }
}

/** Fetches the bank's entries first and stores each page in a transaction of its own, with no network call inside. */
async function collectAll(deps: CloseDeps, comparison: Comparison): Promise<void> {
  const collect: Collect = async (entries, mended) => {
    const now = provenTime(deps)
    await deps.db.transaction().execute((tx) => savePage(tx, comparison, { entries, mended, now }))
  }
  await collectReceipts(deps, comparison, collect)
  await collectPayouts(deps, comparison, collect)
  await recordUnreadable(deps)
  const unlisted = await deps.db.transaction().execute((tx) => findUnlisted(tx, comparison, MOST_QUESTIONS))
  for (const each of unlisted) {
    const answer = await askByName(deps, each)
    if (answer !== null) await collect([answer], [])
  }
}

interface Page {
  entries: BankEntry[]
  mended: BankEntry[]
  now: Date
}

async function savePage(tx: Tx, comparison: Comparison, { entries, mended, now }: Page): Promise<void> {
  const { closeId, runId, from, to } = comparison
  const isOurs = await extendClaim(tx, closeId, runId, secondsAfter(now, LEASE_SECONDS))
  if (!isOurs) throw new Error("another run has claimed this day")
  await saveEntries(tx, runId, entries)
  const ofDay = mended.filter(({ happenedAt }) => happenedAt !== null && happenedAt >= from && happenedAt < to)
  for (const { kind, reference, amountCents, state, happenedAt } of ofDay) {
    const cents = { ourCents: null, bankCents: amountCents }
    const found = { kind, reference, problem: "missing_with_us", ...cents, ourState: null, happenedAt } as const
    await insertDifferenceOnce(tx, closeId, { ...found, bankState: state, isMended: true }, now)
  }
}

/** Replaces the result of an earlier comparison. Null when another run has claimed the day meanwhile. */
async function finish(
  tx: Tx,
  { balance, hasStatements, ...comparison }: Comparison & { balance: BankBalance | null; hasStatements: boolean },
  now: Date,
): Promise<DailyClose | null> {
  const { closeId, runId } = comparison
  const before = await lockClose(tx, closeId)
  if (before === null || before.runId !== runId) return null
  await adoptOurTimes(tx, comparison)
  for (const kind of comparison.kinds) await compareKind(tx, kind, comparison, now)
  if (hasStatements) await nameDebits(tx, await findNobodysDebits(tx, before.day), { comparison, now })
  await compareBalance(tx, comparison, now)
  if (balance !== null) await saveBankBalance(tx, closeId, balance)
  await deleteSettledDifferences(tx, comparison)
  await deleteEntries(tx, runId)
  const { open, mended } = await countDifferences(tx, closeId)
  const comparisons = before.comparisons + 1
  const isComparedLater = open > 0 && isComparedAgain({ comparisons })
  const closed = await updateClose(tx, closeId, {
    closed_at: now,
    comparisons,
    attempts: 0,
    last_error: null,
    difference_count: open,
    mended_count: mended,
    next_attempt_at: isComparedLater ? secondsAfter(now, RECHECK_SECONDS) : null,
    run_id: null,
  })
  await recordAudit(tx, {
    actor: null,
    happenedAt: now,
    action: "daily_close.compared",
    entity: "daily_close",
    entityId: closeId,
    before: { differences: before.differenceCount, mended: before.mendedCount },
    after: { provider: closed.provider, day: closed.day, differences: open, mended },
  })
  await notifyAdminsOfClose(tx, closed, { providerLabel: comparison.providerLabel, now })
  return closed
}

function reportOn({ log }: CloseDeps, { day, provider, differenceCount, mendedCount }: DailyClose): void {
  const facts = { day, provider, differences: differenceCount, mended: mendedCount }
  if (differenceCount === 0) return log.info(facts, "a day was closed")
  log.error({ ...facts, alarm: "daily_close_differs" }, "a day of ours differs from the bank's")
}

/** An alarm that no list of the bank shows: debts that other sellers' money pays. */
async function reportDebts({ db, log }: CloseDeps, { day }: DailyClose): Promise<void> {
  const uncovered = uncoveredCents(await readDebts(db), await readBalance(db, feeRevenue))
  if (uncovered === noMoney) return
  log.error({ day, uncoveredCents: uncovered, alarm: "debts_uncovered" }, "the fees don't cover sellers' debts")
}

async function leaveForLater({ db }: CloseDeps, { id, day }: DailyClose, runId: string): Promise<void> {
  await db.transaction().execute((tx) => waitForEnd(tx, { id, runId }, comparableFrom(day)))
}

async function postpone(deps: CloseDeps, close: DailyClose, runId: string, error: unknown) {
  const { db, log } = deps
  const isTheBanks = error instanceof PspError
  const stuck = close.attempts >= MANY_ATTEMPTS ? { alarm: "daily_close_failed" } : {}
  log.warn({ err: error, day: close.day, attempts: close.attempts, ...stuck }, "a day could not be closed yet")
  const until = secondsAfter(provenTime(deps), Math.min(60 * 2 ** close.attempts, LONGEST_PAUSE_SECONDS))
  const postponement = { until, error: isTheBanks ? "O banco não respondeu." : "A comparação falhou." }
  await db.transaction().execute((tx) => postponeClose(tx, { id: close.id, runId }, postponement))
}

/** Schedules a new comparison for the job's next run. Repeated requests, or one during a comparison, cause only one. */
export async function redoDailyClose(
  { db, psp, clock }: { db: Db; psp: Psp; clock: Clock },
  input: { id: string; admin: Actor },
): Promise<void> {
  const now = provenTime({ psp, clock })
  await db.transaction().execute((tx) => redo(tx, input, now))
}

async function redo(tx: Tx, { id, admin }: { id: string; admin: Actor }, now: Date): Promise<void> {
  const close = isId(id) ? await lockClose(tx, id) : null
  if (close === null) throw new DomainError("daily_close_not_found")
  const { day, provider, differenceCount } = close
  if (boundsOf(day).to > now) throw new DomainError("daily_close_too_early")
  const isRunning = close.runId !== null && close.nextAttemptAt !== null && close.nextAttemptAt > now
  if (!isRunning) await updateClose(tx, id, { next_attempt_at: now, attempts: 1, last_error: null, run_id: null })
  await recordAudit(tx, {
    actor: admin,
    happenedAt: now,
    action: "daily_close.redone",
    entity: "daily_close",
    entityId: id,
    before: { day, provider, differences: differenceCount },
    after: null,
  })
}

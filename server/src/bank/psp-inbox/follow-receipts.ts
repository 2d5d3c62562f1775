import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { bookPayments } from "#money/payments/book"
import { findBookedIds } from "#money/payments/reads"
import { recordReportedRefunds } from "#money/refunds/reported"
import { type PaymentReceived, type Psp, provenTime, type ReportedEvent } from "#psp/psp"
import type { Seen } from "./connection.ts"

const QUESTIONS_AT_ONCE = 8

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
  lists: ReceiptLists
}

type ReportedCharge = Extract<ReportedEvent, { kind: "charge" }>

/** Booked receipts are queried again only when a refund was reported. */
export async function followReceipts(deps: Deps, reported: ReportedReceipt[]): Promise<ReportedEvent[]> {
  if (reported.length === 0) return []
  const refunded = new Set(reported.filter((each) => each.reportsRefunds).map(({ endToEndId }) => endToEndId))
  const each = new Map(reported.map((receipt) => [receipt.endToEndId, receipt]))
  const booked = await findBookedIds(deps.db, [...each.keys()])
  const open = [...each.values()].filter(({ endToEndId: id }) => !booked.has(id) || refunded.has(id))
  // A cached list may be older than the report of a refund.
  const listed = await deps.lists.find(open.filter(({ endToEndId }) => !refunded.has(endToEndId)))
  const alone = open.flatMap(({ endToEndId: id }) => (listed.has(id) ? [] : [id]))
  const failed = await Promise.all([
    bookAnswers(deps, new Map([...listed].map(([id, receipt]) => [id, [receipt]]))),
    askAlone(deps, alone),
  ])
  return reported.filter(({ endToEndId }) => failed.some((ids) => ids.has(endToEndId)))
}

async function askAlone(deps: Deps, ids: string[]): Promise<Set<string>> {
  const answers = await askEach(deps, ids, async (id) => {
    const receipt = await deps.psp.findReceipt(id)
    return receipt === null ? [] : [receipt]
  })
  return bookAnswers(deps, answers)
}

/** Queries the charge, which lists its payments. */
export async function followCharges(deps: Deps, reported: ReportedCharge[]): Promise<ReportedEvent[]> {
  const txids = [...new Set(reported.map(({ txid }) => txid))]
  const answers = await askEach(deps, txids, (txid) => deps.psp.findReceiptsOfCharge(txid))
  const failed = await bookAnswers(deps, answers)
  return reported.filter(({ txid }) => failed.has(txid))
}

/** Receipts that the provider confirms per id; null where it didn't answer. */
type Answers = Map<string, PaymentReceived[] | null>

async function askEach(
  { log }: Deps,
  ids: string[],
  ask: (id: string) => Promise<PaymentReceived[]>,
): Promise<Answers> {
  const open = [...ids]
  const answers: Answers = new Map()
  async function askOne(id: string): Promise<PaymentReceived[] | null> {
    try {
      const receipts = await ask(id)
      if (receipts.length === 0) {
        log.warn({ alarm: "webhook_not_confirmed" }, "the provider doesn't know a receipt that it reported")
      }
      return receipts
    } catch (error) {
      log.warn({ err: error }, "the provider didn't answer about a receipt")
      return null
    }
  }
  async function askOneByOne(): Promise<void> {
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      answers.set(id, await askOne(id))
    }
  }
  await Promise.all(Array.from({ length: QUESTIONS_AT_ONCE }, askOneByOne))
  return answers
}

/** Returns the ids to retry. */
async function bookAnswers(deps: Deps, answers: Answers): Promise<Set<string>> {
  const receipts = [...answers.values()].flatMap((answer) => answer ?? [])
  if (answers.size === 0) return new Set()
  const notBooked = await tryToBook(deps, receipts)
  const booked = receipts.filter(({ endToEndId }) => !notBooked.has(endToEndId))
  const failed = new Set([...notBooked, ...(await recordReportedRefunds(deps, booked))])
  const hasFailed = (answer: PaymentReceived[] | null) =>
    answer === null || answer.some(({ endToEndId }) => failed.has(endToEndId))
  return new Set([...answers].filter(([, answer]) => hasFailed(answer)).map(([id]) => id))
}

async function tryToBook(deps: Deps, receipts: PaymentReceived[]): Promise<Set<string>> {
  try {
    await bookPayments(deps, receipts)
    return new Set()
  } catch (error) {
    deps.log.error({ err: error }, "some payments will be tried again")
    const ids = receipts.map((receipt) => receipt.endToEndId)
    const booked = await findBookedIds(deps.db, ids)
    return new Set(ids.filter((id) => !booked.has(id)))
  }
}

interface ListDeps {
  psp: Pick<Psp, "listReceipts">
  clock: Clock
  log: Logger
}

export interface ReceiptLists {
  /** Receipts that the provider's lists confirm, by endToEndId. About missing ones nothing is known. */
  find(reported: readonly ReportedReceipt[]): Promise<Map<string, PaymentReceived>>
}

/** Bounds for plausible times; others are queried singly, because no list reaches that far. */
const plausible = { pastSeconds: 86_400, futureSeconds: 60 }
/** One single query costs as much as this many rows of a list. */
const ROWS_WORTH_A_QUESTION = 10
/** An empty page has a cost too. */
const FEWEST_ROWS_OF_A_PAGE = 100
const PAUSE_SECONDS = 60
const remembered = { seconds: 10, most: 5_000 }

/**
 * Confirms many reported receipts by one list, located by their reported times. Only a shortcut: after a list that
 * fails or lacks what was reported, receipts are queried singly for a while.
 */
export function createReceiptLists({ psp, clock, log }: ListDeps): ReceiptLists {
  /** A cache of receipts that were listed but not yet reported. */
  const listed = new Map<string, { receipt: PaymentReceived; until: Date }>()
  let pausedUntil = new Date(0)

  function takeListed(reported: readonly ReportedReceipt[]): Map<string, PaymentReceived> {
    const now = clock.now()
    const found = new Map<string, PaymentReceived>()
    for (const { endToEndId } of reported) {
      const known = listed.get(endToEndId)
      if (known !== undefined && now < known.until) found.set(endToEndId, known.receipt)
      listed.delete(endToEndId)
    }
    return found
  }

  function remember(receipts: PaymentReceived[]): void {
    const until = secondsAfter(clock.now(), remembered.seconds)
    for (const receipt of receipts) {
      listed.delete(receipt.endToEndId)
      listed.set(receipt.endToEndId, { receipt, until })
    }
    for (const id of listed.keys()) {
      if (listed.size <= remembered.most) break
      listed.delete(id)
    }
  }

  async function findIn({ from, to, ids }: ReportedWindow): Promise<PaymentReceived[]> {
    const requested = new Set(ids)
    const wanted = new Set(ids)
    const found: PaymentReceived[] = []
    let rows = 0
    for await (const page of psp.listReceipts({ from, to, isNarrow: true })) {
      found.push(...page.filter(({ endToEndId }) => wanted.delete(endToEndId)))
      remember(page.filter(({ endToEndId }) => !requested.has(endToEndId)))
      rows += Math.max(page.length, FEWEST_ROWS_OF_A_PAGE)
      if (wanted.size === 0 || rows >= ROWS_WORTH_A_QUESTION * ids.length) break
    }
    return found
  }

  function pause(): void {
    pausedUntil = secondsAfter(clock.now(), PAUSE_SECONDS)
  }

  return {
    async find(reported) {
      const found = takeListed(reported)
      const now = clock.now()
      if (now < pausedUntil) return found
      const open = reported.filter((each) => !found.has(each.endToEndId) && isPlausible(each, now))
      try {
        for (const window of reportedWindows(open)) {
          const receipts = await findIn(window)
          for (const receipt of receipts) found.set(receipt.endToEndId, receipt)
          if (receipts.length * 2 < window.ids.length) pause()
        }
      } catch (error) {
        pause()
        log.warn({ err: error }, "the provider's list failed: receipts are asked about one by one")
      }
      return found
    },
  }
}

function isPlausible({ reportedAt }: ReportedReceipt, now: Date): boolean {
  if (reportedAt === null) return false
  return (
    secondsAfter(now, -plausible.pastSeconds) < reportedAt && reportedAt < secondsAfter(now, plausible.futureSeconds)
  )
}

export type ReportedReceipt = Extract<ReportedEvent, { kind: "receipt" }>

interface ReportedWindow {
  from: Date
  to: Date
  /** EndToEndIds reported within the window. */
  ids: string[]
}

/** Fewer receipts are queried faster one by one. */
const FEWEST = 8
const LONGEST_MS = 60_000
/** A gap of ten times the median ends a window: the rows in it would all be read for nothing. */
const GAP = { times: 10, leastMs: 50 }

interface Moment {
  endToEndId: string
  ms: number
}

/** Windows of the provider's list in which reported receipts are dense. Isolated ones are in none. */
export function reportedWindows(reported: readonly ReportedReceipt[]): ReportedWindow[] {
  const moments = reported
    .flatMap(({ endToEndId, reportedAt }) => (reportedAt === null ? [] : [{ endToEndId, ms: reportedAt.getTime() }]))
    .sort((a, b) => a.ms - b.ms)
  if (moments.length < FEWEST) return []
  const gapMs = Math.max(GAP.leastMs, GAP.times * medianGapMs(moments))
  const groups: Moment[][] = []
  let group: Moment[] = []
  for (const moment of moments) {
    const [first = moment, last = moment] = [group[0], group.at(-1)]
    if (group.length === 0 || moment.ms - last.ms > gapMs || moment.ms - first.ms > LONGEST_MS) {
      group = []
      groups.push(group)
    }
    group.push(moment)
  }
  return groups.filter(({ length }) => length >= FEWEST).map(windowOf)
}

function medianGapMs(moments: Moment[]): number {
  const gaps = moments.slice(1).map(({ ms }, at) => ms - (moments[at]?.ms ?? ms))
  return gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0
}

/** A provider that reports whole seconds may store fractions, so the window includes the last second. */
function windowOf(moments: Moment[]): ReportedWindow {
  const [first = 0, last = 0] = [moments[0]?.ms, moments.at(-1)?.ms]
  const untilMs = last + (last % 1000 === 0 ? 1000 : 1)
  return { from: new Date(first), to: new Date(untilMs), ids: moments.map(({ endToEndId }) => endToEndId) }
}

/** Clocks of several nodes and the rounding of a Date header differ by this much without any fault. */
const TOLERANCE_SECONDS = 10
/** Nobody knows since when the stored moment has been wrong; the daily close compares what is older. */
const LOOKED_BACK_SECONDS = 86_400

/**
 * A stored moment that lies ahead was written by a clock that was ahead: everything since then may be unseen, so the
 * list begins a day earlier.
 */
export function believableSeenUntil(
  { psp, clock, log }: Omit<Deps, "db" | "lists">,
  what: "receipts" | "payouts",
  stored: Date,
): Date {
  const now = provenTime({ psp, clock })
  const aheadSeconds = Math.round((stored.getTime() - now.getTime()) / 1000)
  if (aheadSeconds <= TOLERANCE_SECONDS) return stored < now ? stored : now
  log.error({ alarm: "reconciliation_ahead", what, aheadSeconds }, "reconciliation has seen a moment in the future")
  return secondsAfter(now, -LOOKED_BACK_SECONDS)
}

/** Begins a poll of the provider; its end is how far that poll has seen, by the provider's own clock. */
export function beginPoll({ psp, clock }: Pick<Omit<Deps, "db" | "lists">, "psp" | "clock">): () => Seen {
  const [startedAt, startedMs] = [clock.now(), performance.now()]
  return () => {
    const theirs = psp.bankTime(startedMs)
    const until = theirs !== null && theirs < startedAt ? theirs : startedAt
    return { until, believableUntil: secondsAfter(provenTime({ psp, clock }), TOLERANCE_SECONDS) }
  }
}

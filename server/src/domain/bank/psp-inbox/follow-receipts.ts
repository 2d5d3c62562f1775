import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import { bookPayments } from "#domain/money/payments/book-payments"
import { findBookedReceipts } from "#domain/money/payments/find-booked"
import { recordReportedRefunds } from "#domain/money/refunds/record-reported-refunds"
import type { Clock } from "#kit/clock"
import type { PaymentReceived, Psp, ReportedEvent } from "#psp/psp"
import type { ReceiptLists } from "./receipt-lists.ts"
import type { ReportedReceipt } from "./reported-windows.ts"

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
  const booked = await findBookedReceipts(deps.db, [...each.keys()])
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
    const booked = await findBookedReceipts(deps.db, ids)
    return new Set(ids.filter((id) => !booked.has(id)))
  }
}

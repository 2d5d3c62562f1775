import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import { bookPayments } from "#domain/payments/book-payments"
import { findBookedReceipts } from "#domain/payments/find-booked"
import { recordToldRefunds } from "#domain/refunds/record-told-refunds"
import { type Clock, secondsAfter } from "#kit/clock"
import type { PaymentReceived, Psp, ToldReceipt } from "#psp/psp"
import {
  claimInboxMessages,
  type InboxMessage,
  markInboxProcessed,
  postponeInboxMessages,
} from "./psp-inbox-repository.ts"

const BATCH = 200
const QUESTIONS_AT_ONCE = 8

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

/**
 * Works off what webhooks told, in batches. A webhook proves nothing: the provider is asked about every
 * receipt that isn't booked yet. What can't be asked now is tried again later; reconciliation finds it too.
 */
export async function processInbox(deps: Deps): Promise<void> {
  for (;;) {
    const now = deps.clock.now()
    const claim = { provider: deps.psp.name, now, limit: BATCH }
    const messages = await deps.db.transaction().execute((tx) => claimInboxMessages(tx, claim))
    if (messages.length === 0) return
    await processMessages(deps, messages)
    if (messages.length < BATCH) return
  }
}

async function processMessages(deps: Deps, messages: InboxMessage[]): Promise<void> {
  const told = messages.map((message) => ({ message, receipts: deps.psp.receiptsToldBy(message.body) }))
  const unreadable = told.filter(({ receipts }) => receipts === null).map(({ message }) => message.id)
  const answers = await askAbout(
    deps,
    told.flatMap(({ receipts }) => receipts ?? []),
  )
  const failed = await bookAnswers(deps, answers)
  const isSettled = (receipts: ToldReceipt[] | null) =>
    receipts?.every(({ endToEndId }) => !failed.has(endToEndId)) ?? false
  const settled = told.filter(({ receipts }) => isSettled(receipts)).map(({ message }) => message.id)
  const later = told.filter(({ receipts }) => receipts !== null && !isSettled(receipts)).map(({ message }) => message)
  const now = deps.clock.now()
  await deps.db.transaction().execute((tx) => markInboxProcessed(tx, settled, now, null))
  await deps.db.transaction().execute((tx) => markInboxProcessed(tx, unreadable, now, "unreadable"))
  await postpone(deps, later)
}

type Answer = PaymentReceived | "unknown-receipt" | "no-answer"

/** What is booked is asked about again only when something went back of it. */
async function askAbout(deps: Deps, told: ToldReceipt[]): Promise<Map<string, Answer>> {
  const ids = [...new Set(told.map(({ endToEndId }) => endToEndId))]
  const refunded = new Set(told.filter((each) => each.tellsOfRefunds).map(({ endToEndId }) => endToEndId))
  const booked = await findBookedReceipts(deps.db, ids)
  const open = ids.filter((id) => !booked.has(id) || refunded.has(id))
  const answers = new Map<string, Answer>()
  async function ask(): Promise<void> {
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      answers.set(id, await askOne(deps, id))
    }
  }
  await Promise.all(Array.from({ length: QUESTIONS_AT_ONCE }, ask))
  return answers
}

async function askOne({ psp, log }: Deps, endToEndId: string): Promise<Answer> {
  try {
    const receipt = await psp.findReceipt(endToEndId)
    if (receipt === null) log.warn({ alarm: "webhook_not_confirmed" }, "the provider doesn't know a receipt it told of")
    return receipt ?? "unknown-receipt"
  } catch (error) {
    log.warn({ err: error }, "the provider didn't answer about a receipt")
    return "no-answer"
  }
}

/** Answers the ids that must be tried again. */
async function bookAnswers(deps: Deps, answers: Map<string, Answer>): Promise<Set<string>> {
  const receipts = [...answers.values()].filter((answer) => typeof answer !== "string")
  const unanswered = [...answers].filter(([, answer]) => answer === "no-answer").map(([id]) => id)
  const notBooked = await tryToBook(deps, receipts)
  const booked = receipts.filter(({ endToEndId }) => !notBooked.has(endToEndId))
  return new Set([...unanswered, ...notBooked, ...(await recordToldRefunds(deps, booked))])
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

async function postpone({ db, clock }: Deps, messages: InboxMessage[]): Promise<void> {
  const attempts = Math.max(0, ...messages.map((message) => message.attempts))
  const until = secondsAfter(clock.now(), Math.min(2 ** attempts, 60))
  const ids = messages.map((message) => message.id)
  await db.transaction().execute((tx) => postponeInboxMessages(tx, ids, until, "no answer or not booked"))
}

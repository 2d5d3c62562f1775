import { type EventView, listEventsEndpoint } from "@tilinta/contract/events"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance, FastifyReply } from "fastify"
import type { Events } from "#events/events"
import { createStreamSlots } from "#http/event-streams"
import { serveEndpoint } from "#http/serve-endpoint"
import { saoPauloDay } from "#kit/clock"
import type { UncreditedPayment } from "#money/unmatched-payments/rules"
import { toWithdrawalView } from "#money/withdrawals/views"
import { sellerOf } from "#people/sessions/caller"
import { toChargePageView } from "#selling/charge-pages/views"
import { toTransactionView } from "#selling/charges/views"
import { toInvoiceView } from "#selling/invoices/views"
import { toDebitView, toMandateView } from "#selling/mandates/views"
import { toReminderView } from "#selling/reminders/views"
import { toSubscriptionView } from "#selling/subscriptions/views"
import type { HttpDeps } from "#start/deps"
import { eventIdOf, numberBefore, readEvents, type SellerEvent } from "./feed.ts"

export function eventRoutes(
  app: FastifyInstance,
  { db, events, payersUrl }: Pick<HttpDeps, "db" | "events" | "payersUrl">,
): void {
  const toEventView = eventWriter(payersUrl)
  const polls = createLongPolls(app, events)

  serveEndpoint(app, listEventsEndpoint, async ({ query, request, reply }) => {
    const { wait, limit, types } = query
    const { id: sellerId, person } = sellerOf(request)
    // Once: a request that waits must not move on with the end.
    const after = query.last === 0 ? query.after : await numberBefore(db, { sellerId, last: query.last })
    const read = () => readEvents(db, { sellerId, after, limit, types })
    const isWorthAnswering = (found: Awaited<ReturnType<typeof read>>) => found.events.length > 0 || found.hasMore
    const found = await (wait === 0
      ? read()
      : polls.answer({ sellerId, personId: person.id, seconds: wait, reply, read, isWorthAnswering }))
    return { events: found.events.map(toEventView), hasMore: found.hasMore, next: found.next }
  })
}

/** The same in the feed and in a webhook. */
export function eventWriter(payersUrl: string): (event: SellerEvent) => EventView {
  return (event) => toEventView(event, payersUrl)
}

function toEventView(event: SellerEvent, payersUrl: string): EventView {
  const head = { id: eventIdOf(event), sequence: event.sequence, createdAt: event.occurredAt.toISOString() }
  if ("charge" in event) return { ...head, type: event.type, data: { transaction: toTransactionView(event.charge) } }
  if ("page" in event) return { ...head, type: event.type, data: { checkoutPage: toChargePageView(event.page) } }
  if ("invoice" in event) {
    const invoice = toInvoiceView(event.invoice, saoPauloDay(event.occurredAt), payersUrl)
    return { ...head, type: event.type, data: { invoice } }
  }
  if ("subscription" in event) {
    return { ...head, type: event.type, data: { subscription: toSubscriptionView(event.subscription, payersUrl) } }
  }
  if ("mandate" in event)
    return { ...head, type: event.type, data: { mandate: toMandateView(event.mandate, payersUrl) } }
  if ("debit" in event) return { ...head, type: event.type, data: { debit: toDebitView(event.debit) } }
  if ("reminder" in event) return { ...head, type: event.type, data: { reminder: toReminderView(event.reminder) } }
  if ("payment" in event) return { ...head, type: event.type, data: { payment: toPaymentView(event.payment) } }
  return { ...head, type: event.type, data: { withdrawal: toWithdrawalView(event.withdrawal) } }
}

function toPaymentView(payment: UncreditedPayment) {
  return {
    _id: payment.id,
    endToEndId: payment.endToEndId,
    txid: payment.txid,
    amount: reaisFromCents(payment.amountCents),
    paidAt: payment.paidAt.toISOString(),
    receivedAt: payment.receivedAt.toISOString(),
    reason: payment.reason,
    transaction: payment.namedChargeId === null ? null : { _id: payment.namedChargeId },
  }
}

interface LongPoll<Answer> {
  sellerId: string
  /** The person who waits: it ends with their place in the team too. */
  personId: string
  seconds: number
  reply: FastifyReply
  read(): Promise<Answer>
  isWorthAnswering(answer: Answer): boolean
}

interface LongPolls {
  /** Reads at once, and again after each event of the seller, until an answer is worth sending or the time is over. */
  answer<Answer>(poll: LongPoll<Answer>): Promise<Answer>
}

const POLLS_PER_SELLER = 8
/** Each one that waits is a timer and a socket. */
const POLLS_IN_ALL = 2_000

/** Requests that wait for events, without a connection of the database. None outlives the server, its client or its session. */
function createLongPolls(app: FastifyInstance, events: Pick<Events, "onEventsOf" | "onSessionsOf">): LongPolls {
  const places = createStreamSlots(POLLS_PER_SELLER, POLLS_IN_ALL)
  const ends = new Set<() => void>()
  let isClosing = false
  app.addHook("preClose", async () => {
    isClosing = true
    for (const end of ends) end()
  })

  return {
    async answer({ sellerId, personId, seconds, reply, read, isWorthAnswering }) {
      const leave = places.take(sellerId)
      let hasNewEvents = false
      let isOver = isClosing
      let resume: () => void = () => undefined
      const wake = () => {
        hasNewEvents = true
        resume()
      }
      const end = () => {
        isOver = true
        resume()
      }
      ends.add(end)
      reply.raw.once("close", end)
      const timer = setTimeout(end, seconds * 1000)
      const stops = [events.onEventsOf(sellerId, wake), events.onSessionsOf(sellerId, end)]
      if (personId !== sellerId) stops.push(events.onSessionsOf(personId, end))
      try {
        for (;;) {
          hasNewEvents = false
          const answer = await read()
          if (isOver || isWorthAnswering(answer)) return answer
          await new Promise<void>((resolve) => {
            resume = resolve
            if (hasNewEvents || isOver) resolve()
          })
          // A session that has ended hears nothing more.
          if (isOver) return answer
        }
      } finally {
        clearTimeout(timer)
        for (const stop of stops) stop()
        ends.delete(end)
        leave()
      }
    },
  }
}

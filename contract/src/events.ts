import * as z from "zod/mini"
import { chargePageView } from "./charge-pages.ts"
import { type Audience, defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, isoDateTime, malformed, success, text, wholeNumberQuery } from "./fields.ts"
import * as heads from "./heads.ts"
import { invoiceView } from "./invoices.ts"
import { debitView, mandateView } from "./mandates.ts"
import { reminderView } from "./reminders.ts"
import { subscriptionView } from "./subscriptions.ts"
import { exampleTransaction, transactionView } from "./transactions.ts"
import { unmatchedPaymentFields } from "./unmatched-payments.ts"
import type { ApiTag } from "./vocabulary/api.ts"
import {
  chargeEventTypes,
  debitEventTypes,
  type EventType,
  eventTypes,
  invoiceEventTypes,
  mandateEventTypes,
  pageEventTypes,
  paymentEventTypes,
  reminderEventTypes,
  subscriptionEventTypes,
  withdrawalEventTypes,
} from "./vocabulary/events.ts"
import { managers } from "./vocabulary/team.ts"
import { withdrawalView } from "./withdrawals.ts"

/** Money that named a charge of the seller and was not credited: the platform accepts or returns it. */
export const uncreditedPayment = z.object({
  ...unmatchedPaymentFields,
  /** The transaction that it named. */
  transaction: z.nullable(z.object({ _id: id })),
})

const eventFields = { id, sequence: z.number(), createdAt: isoDateTime }

/** `data` holds the object as its own address answered at that moment. */
export const chargeEvent = z.object({
  ...eventFields,
  type: z.enum(chargeEventTypes),
  data: z.object({ transaction: transactionView }),
})
export const withdrawalEvent = z.object({
  ...eventFields,
  type: z.enum(withdrawalEventTypes),
  data: z.object({ withdrawal: withdrawalView }),
})
export const pageEvent = z.object({
  ...eventFields,
  type: z.enum(pageEventTypes),
  data: z.object({ checkoutPage: chargePageView }),
})
export const paymentEvent = z.object({
  ...eventFields,
  type: z.enum(paymentEventTypes),
  data: z.object({ payment: uncreditedPayment }),
})

export const invoiceEvent = z.object({
  ...eventFields,
  type: z.enum(invoiceEventTypes),
  data: z.object({ invoice: invoiceView }),
})

export const subscriptionEvent = z.object({
  ...eventFields,
  type: z.enum(subscriptionEventTypes),
  data: z.object({ subscription: subscriptionView }),
})

export const mandateEvent = z.object({
  ...eventFields,
  type: z.enum(mandateEventTypes),
  data: z.object({ mandate: mandateView }),
})

export const debitEvent = z.object({
  ...eventFields,
  type: z.enum(debitEventTypes),
  data: z.object({ debit: debitView }),
})

export const reminderEvent = z.object({
  ...eventFields,
  type: z.enum(reminderEventTypes),
  data: z.object({ reminder: reminderView }),
})

export const eventView = z.union([
  chargeEvent,
  withdrawalEvent,
  pageEvent,
  paymentEvent,
  invoiceEvent,
  subscriptionEvent,
  mandateEvent,
  debitEvent,
  reminderEvent,
])
export type EventView = z.infer<typeof eventView>

const MOST_EVENTS = 100
const LONGEST_WAIT_SECONDS = 20

/** 0 without it. */
function wholeNumber(most: number, message: string) {
  const isInRange = (value: string) => /^\d{1,15}$/.test(value) && Number(value) <= most
  const digits = z.string(message).check(z.refine(isInRange, { error: message, params: malformed }))
  return z._default(z.pipe(digits, z.transform(Number)), 0)
}

const isEventType = (word: string): word is EventType => (eventTypes as readonly string[]).includes(word)
const unknownType = "Tipo de evento desconhecido: veja a lista em docs/events.md."

const typeList = z.optional(
  z.pipe(
    text(1000),
    z.transform((value, context) => {
      const words = value.split(",").map((word) => word.trim())
      const known = words.filter(isEventType)
      if (known.length < words.length) {
        context.issues.push({ code: "custom", message: unknownType, input: value, params: malformed })
      }
      return known
    }),
  ),
)

export const listEventsEndpoint = defineEndpoint("listEvents", heads.listEvents, {
  audience: "seller",
  roles: managers,
  scope: "events:read",
  tag: "Eventos",
  summary:
    "Os eventos da conta depois de `after`, ou os `last` mais novos, na ordem em que aconteceram; com `wait`, espera até 20 segundos pelo próximo. Continue com `after` igual a `data.next`",
  query: z
    .object({
      after: wholeNumber(Number.MAX_SAFE_INTEGER, "Informe em after o número de um evento."),
      /** In place of `after`: begins so many events before the end. */
      last: wholeNumber(MOST_EVENTS, `Informe em last de 1 a ${MOST_EVENTS} eventos.`),
      limit: wholeNumberQuery(MOST_EVENTS, MOST_EVENTS),
      types: typeList,
      wait: wholeNumber(LONGEST_WAIT_SECONDS, `Informe em wait de 0 a ${LONGEST_WAIT_SECONDS} segundos.`),
    })
    .check(
      z.refine(({ after, last }) => after === 0 || last === 0, {
        path: ["last"],
        error: "Informe after ou last, não os dois.",
        params: malformed,
      }),
    ),
  reply: {
    status: 200,
    schema: success(
      z.object({
        events: z.array(eventView),
        /** There are more events after `next`, perhaps of other types. */
        hasMore: z.boolean(),
        /** The `after` of the next call. */
        next: z.number(),
      }),
    ),
  },
})

/** Server-sent events, which have neither a schema nor an end. */
export interface Stream {
  operationId: string
  path: `/api/v1/${string}`
  audience: Audience
  tag: ApiTag
  summary: string
}

export const paymentStatusStream = {
  operationId: "streamPaymentStatus",
  path: "/api/v1/checkout/payment-status/:transactionId/stream",
  audience: "public",
  tag: "Pagamento",
  summary: "Situação de um Pix, ao vivo (text/event-stream, evento `status`)",
} as const satisfies Stream

export const transactionsStream = {
  operationId: "streamTransactions",
  path: "/api/v1/users/me/events",
  audience: "seller",
  tag: "Transações",
  summary: "Mudanças nas transações do vendedor, ao vivo (text/event-stream, eventos `ready` e `transactions`)",
} as const satisfies Stream

export const eventsExamples = [
  defineExample(listEventsEndpoint, {
    query: { after: "0", limit: "100", types: "charge.paid,charge.refunded", wait: "0" },
    data: {
      events: [
        {
          id: "evt_0193a4bf7c1a7d3e9b524f0d6c8e1a27_42",
          type: "charge.paid",
          sequence: 42,
          createdAt: "2026-11-21T14:16:07.000Z",
          data: {
            transaction: {
              ...exampleTransaction,
              updatedAt: "2026-11-21T14:16:07.000Z",
              customerInfo: { name: "Bruno Lima" },
            },
          },
        },
      ],
      hasMore: false,
      next: 42,
    },
    failures: ["validation_failed", "too_many_requests"],
  }),
] as const

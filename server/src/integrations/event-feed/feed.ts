import {
  chargeEventTypes,
  debitEventTypes,
  type EventType,
  invoiceEventTypes,
  mandateEventTypes,
  pageEventTypes,
  paymentEventTypes,
  reminderEventTypes,
  subscriptionEventTypes,
  withdrawalEventTypes,
} from "@tilinta/contract/vocabulary/events"
import type { PastRow } from "#db/rows-of"
import type { Db } from "#db/transaction"
import { brokenRule, invariant } from "#kit/errors"
import { findUncreditedPayments } from "#money/unmatched-payments/list-reads"
import type { UncreditedPayment } from "#money/unmatched-payments/rules"
import { findPastWithdrawals } from "#money/withdrawals/reads"
import type { Withdrawal } from "#money/withdrawals/withdrawal"
import { findPastChargePages } from "#selling/charge-pages/reads"
import type { ChargePage } from "#selling/charge-pages/rules"
import { findPastCharges } from "#selling/charges/lists"
import type { OrderedCharge } from "#selling/charges/rules"
import { findPastInvoices } from "#selling/invoices/reads"
import type { Invoice } from "#selling/invoices/rules"
import { findPastDebits, findPastMandates } from "#selling/mandates/reads"
import type { Debit, Mandate } from "#selling/mandates/rules"
import { findReminders } from "#selling/reminders/reads"
import type { Reminder } from "#selling/reminders/rules"
import { findPastSubscriptions } from "#selling/subscriptions/reads"
import type { Subscription } from "#selling/subscriptions/rules"
import { type EventQuery, type EventRow, findEventRows, findLastSequence } from "./reads.ts"

/** So many events of other types are passed by one reading. */
const MOST_SEEN = 2_000

interface ReadEvents {
  events: SellerEvent[]
  /** From where to read on: events of other types are passed, too. */
  next: number
  hasMore: boolean
}

/** The number after which come the seller's last so many events. */
export async function numberBefore(db: Db, { sellerId, last }: { sellerId: string; last: number }): Promise<number> {
  return Math.max(0, (await findLastSequence(db, sellerId)) - last)
}

/** The seller's next events, in their order, from the oldest that is kept. */
export async function readEvents(db: Db, query: EventQuery): Promise<ReadEvents> {
  const { rows, seen, last } = await findEventRows(db, query, MOST_SEEN)
  if (query.after > last) throw brokenRule("after", `Este evento ainda não existe: o último é o ${last}.`)
  const events = await withSubjects(db, query.sellerId, rows)
  const isFull = rows.length === query.limit
  const next = (isFull ? rows.at(-1)?.sequence : seen) ?? query.after
  return { events, next, hasMore: next < last }
}

async function withSubjects(db: Db, sellerId: string, rows: readonly EventRow[]): Promise<SellerEvent[]> {
  const pastOf = (types: readonly EventType[]) => rows.filter(({ type }) => types.includes(type)).map(pastRowOf)
  const idsOf = (types: readonly EventType[]) =>
    rows.filter(({ type }) => types.includes(type)).map(({ subjectId }) => subjectId)
  const charges = await findPastCharges(db, pastOf(chargeEventTypes))
  const withdrawals = await findPastWithdrawals(db, pastOf(withdrawalEventTypes))
  const pages = await findPastChargePages(db, pastOf(pageEventTypes))
  const invoices = await findPastInvoices(db, pastOf(invoiceEventTypes))
  const subscriptions = await findPastSubscriptions(db, pastOf(subscriptionEventTypes))
  const mandates = await findPastMandates(db, pastOf(mandateEventTypes))
  const debits = await findPastDebits(db, pastOf(debitEventTypes))
  const payments = await findUncreditedPayments(db, idsOf(paymentEventTypes))
  const reminders = await findReminders(db, idsOf(reminderEventTypes))
  return rows.map(({ sequence, occurredAt, type, subjectId }): SellerEvent => {
    const event = { sellerId, sequence, occurredAt }
    if (isOneOf(chargeEventTypes, type)) return { ...event, type, charge: present(charges.get(sequence), event) }
    if (isOneOf(pageEventTypes, type)) {
      return { ...event, type, page: pageAfter(type, present(pages.get(sequence), event), occurredAt) }
    }
    if (isOneOf(invoiceEventTypes, type)) return { ...event, type, invoice: present(invoices.get(sequence), event) }
    if (isOneOf(subscriptionEventTypes, type)) {
      return { ...event, type, subscription: present(subscriptions.get(sequence), event) }
    }
    if (isOneOf(mandateEventTypes, type)) return { ...event, type, mandate: present(mandates.get(sequence), event) }
    if (isOneOf(debitEventTypes, type)) return { ...event, type, debit: present(debits.get(sequence), event) }
    if (isOneOf(reminderEventTypes, type)) return { ...event, type, reminder: present(reminders.get(subjectId), event) }
    if (isOneOf(paymentEventTypes, type)) return { ...event, type, payment: present(payments.get(subjectId), event) }
    return { ...event, type, withdrawal: present(withdrawals.get(sequence), event) }
  })
}

function isOneOf<const Word extends EventType>(words: readonly Word[], type: EventType): type is Word {
  return (words as readonly EventType[]).includes(type)
}

function present<Subject>(subject: Subject | undefined, event: { sellerId: string; sequence: number }): Subject {
  invariant(subject !== undefined, `event ${event.sequence} of ${event.sellerId} is about nothing`)
  return subject
}

function pastRowOf({ sequence, type, subjectId, state, occurredAt }: EventRow): PastRow {
  return { sequence, id: subjectId, state: state ?? { ...statesByType[type], updated_at: occurredAt.toISOString() } }
}

const unrefunded = { refunded_cents: 0, refunded_fee_cents: 0 }
const unpaid = { ...unrefunded, paid_at: null, end_to_end_id: null, is_late: false, is_duplicate: false }

/** Charges are told by thousands, so most of their events copy nothing: the type says what the row was like. */
const statesByType: Partial<Record<EventType, object>> = {
  "charge.created": { ...unpaid, status: "pending" },
  "charge.expired": { ...unpaid, status: "expired" },
  "charge.cancelled": { ...unpaid, status: "cancelled" },
  "charge.paid": { ...unrefunded, status: "paid" },
  "page.completed": { status: "completed" },
}

/** A page is complete when it has all its payments. One that comes all the same is counted later, as a later suspension is. */
function pageAfter(type: EventType, page: ChargePage, at: Date): ChargePage {
  if (type !== "page.completed") return page
  const suspension = page.suspension !== null && page.suspension.since <= at ? page.suspension : null
  return { ...page, suspension, paymentsCount: page.maxPayments ?? page.paymentsCount }
}

interface EventHead {
  sellerId: string
  /** 1, 2, 3 … without holes for each seller. */
  sequence: number
  occurredAt: Date
}

/** A fact, with what it is about as the API showed it at that moment. */
export type SellerEvent = EventHead &
  (
    | { type: (typeof chargeEventTypes)[number]; charge: OrderedCharge }
    | { type: (typeof withdrawalEventTypes)[number]; withdrawal: Withdrawal }
    | { type: (typeof pageEventTypes)[number]; page: ChargePage }
    | { type: (typeof paymentEventTypes)[number]; payment: UncreditedPayment }
    | { type: (typeof invoiceEventTypes)[number]; invoice: Invoice }
    | { type: (typeof subscriptionEventTypes)[number]; subscription: Subscription }
    | { type: (typeof mandateEventTypes)[number]; mandate: Mandate }
    | { type: (typeof debitEventTypes)[number]; debit: Debit }
    | { type: (typeof reminderEventTypes)[number]; reminder: Reminder }
  )

/** The same for ever, on every node. */
export function eventIdOf({ sellerId, sequence }: Pick<SellerEvent, "sellerId" | "sequence">): string {
  return `evt_${sellerId.replaceAll("-", "")}_${sequence}`
}

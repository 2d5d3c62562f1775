import { invoiceStatusOn } from "@tilinta/contract/vocabulary/invoices"
import type { Db, Tx } from "#db/transaction"
import { type Clock, saoPauloDay, type Times, timesOf } from "#kit/clock"
import { appendEvents } from "#platform/event-log/append"
import { withdrawMails } from "#platform/mails/notify-owner"
import { findMailOutcomes } from "#platform/mails/reads"
import { findMailedCustomers, type MailedCustomer } from "#selling/customers/reads"
import { findInvoices } from "#selling/invoices/reads"
import { amountOn, type Invoice, isDebitUnderWay } from "#selling/invoices/rules"
import { isHourOfReminders, type Reminder } from "./rules.ts"
import { lockQueuedReminders, updateOutcome } from "./table.ts"

const BATCH = 500

/**
 * Call it before mails are sent: a mail that still waits when its invoice was paid, changed or ended, its customer refused, or
 * its day is over, is taken back. Of the others it copies what became of them.
 */
export async function settleReminders({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.transaction().execute((tx) => settle(tx, timesOf(clock)))
}

async function settle(tx: Tx, { now, due }: Times): Promise<void> {
  const queued = await lockQueuedReminders(tx, BATCH)
  if (queued.length === 0) return
  const outcomes = await findMailOutcomes(tx, [...new Set(queued.map(keyOf))])
  const waiting = queued.filter((one) => isWaiting(outcomes.get(keyOf(one))))
  const stale = await staleKeys(tx, waiting, due)
  const withdrawn = new Set(await withdrawMails(tx, [...stale], now))
  const ids = (isOne: (reminder: Reminder) => boolean) => queued.filter(isOne).map(({ id }) => id)

  const sent = ids((one) => (outcomes.get(keyOf(one))?.sentAt ?? null) !== null)
  await updateOutcome(tx, sent, { status: "sent", sentAt: due })
  await appendEvents(tx, "reminder.sent", sent, due)
  const bounced = ids((one) => (outcomes.get(keyOf(one))?.givenUpAt ?? null) !== null)
  await updateOutcome(tx, bounced, { status: "bounced", sentAt: null })
  const withheld = ids((one) => withdrawn.has(keyOf(one)) || !outcomes.has(keyOf(one)))
  await updateOutcome(tx, withheld, { status: "withheld", sentAt: null })
}

const keyOf = ({ mailKey }: Reminder) => mailKey ?? ""

const isWaiting = (outcome: { sentAt: Date | null; givenUpAt: Date | null } | undefined) =>
  outcome !== undefined && outcome.sentAt === null && outcome.givenUpAt === null

/** A mail about several invoices goes only while it is true of all of them. */
async function staleKeys(tx: Tx, waiting: readonly Reminder[], due: Date): Promise<Set<string>> {
  if (waiting.length === 0) return new Set()
  const invoices = new Map(
    (
      await findInvoices(
        tx,
        waiting.map(({ invoiceId }) => invoiceId),
      )
    ).map((one) => [one.id, one]),
  )
  const customers = await findMailedCustomers(
    tx,
    waiting.map(({ customerId }) => customerId),
  )
  const stale = waiting.filter((reminder) => {
    const [invoice, customer] = [invoices.get(reminder.invoiceId), customers.get(reminder.customerId)]
    return !isTrue(reminder, invoice, customer, due)
  })
  return new Set(stale.map(keyOf))
}

function isTrue(
  { day, step, amountCents }: Reminder,
  invoice: Invoice | undefined,
  customer: MailedCustomer | undefined,
  due: Date,
): boolean {
  const today = saoPauloDay(due)
  if (invoice === undefined || invoiceStatusOn(invoice, today) !== "open") return false
  if (isDebitUnderWay(invoice, due)) return false
  if (customer === undefined || customer.email === null || customer.remindersEndedAt !== null) return false
  const isInTime = day === today && (step === null || isHourOfReminders(due))
  return isInTime && amountOn(invoice, today).amount === amountCents
}

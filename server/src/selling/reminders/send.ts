import { invoiceStatusOn } from "@tilinta/contract/vocabulary/invoices"
import { REMINDERS_A_DAY, type ReminderChannel, type ReminderStep } from "@tilinta/contract/vocabulary/reminders"
import type { Db, Tx } from "#db/transaction"
import { type Clock, type Day, daysAfter, saoPauloDay, type Times, timesOf } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import { findShop, readReceiver } from "#people/shops/reads"
import { notifyShops } from "#people/team/notify"
import { holdsAddress } from "#people/users/misleading-names"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import type { MailContent } from "#platform/mails/mail-content"
import { enqueueMails } from "#platform/mails/notify-owner"
import { countDueMails } from "#platform/mails/reads"
import { type Psp, provenTimes } from "#psp/psp"
import { checkoutPath } from "#selling/charge-pages/rules"
import { lockReminded } from "#selling/customers/own-reminders"
import type { MailedCustomer, OwnCustomer } from "#selling/customers/reads"
import { lockInvoices, refusalOf } from "#selling/invoices/change"
import { getOwnInvoice } from "#selling/invoices/create"
import { amountOn, type Invoice, isDebitUnderWay } from "#selling/invoices/rules"
import { getSubscription } from "#selling/subscriptions/reads"
import { subscriptionPath } from "#selling/subscriptions/rules"
import {
  countMailsOfDay,
  findDueCustomers,
  findPayableIds,
  listRemindersOf,
  listRemindersOfDay,
  readReminderSettings,
} from "./reads.ts"
import {
  forWhatsapp,
  inOrder,
  isHourOfReminders,
  isTakenBack,
  type Reminder,
  type ReminderSettings,
  stepByHand,
  stepOn,
  textOf,
  whatsappLinkOf,
} from "./rules.ts"
import { insertReminders } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  /** Base address of links in mails to payers. */
  payersUrl: string
}

/** As many as are sent in a few seconds, so that receipts and links to log in don't wait behind a morning's reminders. */
const MOST_WAITING = 100

/**
 * Queues today's reminders, one mail a customer. What should have gone on a day on which no server ran is skipped: nobody gets
 * a bunch of old ones.
 */
export async function sendReminders({ psp, ...deps }: Deps & { psp: Pick<Psp, "bankTime"> }): Promise<void> {
  const times = provenTimes({ psp, clock: deps.clock })
  if (!isHourOfReminders(times.due)) return
  const capacity = MOST_WAITING - (await countDueMails(deps.db, { now: times.now, atMost: MOST_WAITING }))
  let after: string | null = null
  for (let queued = 0; queued < capacity; ) {
    const due = await findDueCustomers(deps.db, times, { after, limit: capacity })
    for (const { invoiceIds, ...customer } of due) {
      const isQueued = await deps.db.transaction().execute((tx) => remind(tx, { customer, invoiceIds }, deps, times))
      if (isQueued) queued += 1
    }
    after = due.at(-1)?.id ?? null
    if (due.length < capacity) return
  }
}

interface Due {
  invoice: Invoice
  step: ReminderStep
}

/** Locks the customer before their invoices, as whoever makes an invoice does; all that was found is asked again. */
async function remind(
  tx: Tx,
  { customer: own, invoiceIds }: { customer: OwnCustomer; invoiceIds: readonly string[] },
  deps: Deps,
  times: Times,
): Promise<boolean> {
  const today = saoPauloDay(times.due)
  const customer = await lockReminded(tx, own)
  if (customer === null || customer.email === null || customer.remindersEndedAt !== null) return false
  if ((await listRemindersOfDay(tx, [customer.id], today)).some((one) => !isTakenBack(one))) return false
  const invoices = await lockPayable(tx, invoiceIds)
  const settings = await readReminderSettings(tx, customer.sellerId)
  const yesterday = daysAfter(today, -1)
  const [sent, wasFull] = [await sentOf(tx, invoices), await isFull(tx, customer.sellerId, yesterday)]
  const due = invoices.flatMap((invoice): Due[] => {
    const waited =
      wasFull &&
      !sent.some(({ invoiceId, step, day }) => invoiceId === invoice.id && step !== null && day === yesterday)
    const step = stepOn(invoice, settings, { ...times, waited })
    const isReminded = sent.some((each) => each.invoiceId === invoice.id)
    return step === null || (step === "created" && isReminded) ? [] : [{ invoice, step }]
  })
  if (due.length === 0 || (await isFull(tx, customer.sellerId, today))) return false
  await queue(tx, { customer, due: inOrder(due), settings, isByHand: false }, deps, times)
  return true
}

async function lockPayable(tx: Tx, ids: readonly string[]): Promise<Invoice[]> {
  const invoices = await lockInvoices(tx, ids)
  const payable = await findPayableIds(tx, ids)
  return invoices.filter(({ id }) => payable.has(id))
}

async function sentOf(tx: Tx, invoices: readonly Invoice[]): Promise<Reminder[]> {
  const reminders = await listRemindersOf(
    tx,
    invoices.map(({ id }) => id),
  )
  return reminders.filter((each) => !isTakenBack(each))
}

async function isFull(tx: Tx, sellerId: string, day: Day): Promise<boolean> {
  return (await countMailsOfDay(tx, sellerId, day)) >= REMINDERS_A_DAY
}

interface Queued {
  customer: MailedCustomer
  /** The first is what the mail's text is about. */
  due: readonly Due[]
  settings: ReminderSettings
  isByHand: boolean
}

/** The rows and the mail are one transaction: no crash leaves one without the other. */
async function queue(
  tx: Tx,
  { customer, due, settings, isByHand }: Queued,
  deps: Deps,
  times: Times,
): Promise<Reminder[]> {
  const today = saoPauloDay(times.due)
  const mailKey = `reminder:${newId()}`
  const reminders = due.map(({ invoice, step }): Reminder => {
    return {
      ...newReminder(invoice, "email", times),
      step: isByHand ? null : step,
      mailKey,
      status: "queued",
      sentAt: null,
    }
  })
  await insertReminders(tx, reminders)
  const content = await mailOf(tx, { customer, due, settings }, { ...deps, today })
  await enqueueMails(
    tx,
    [{ userId: customer.sellerId, to: customer.email ?? "", dedupeKey: mailKey, content }],
    times.now,
  )
  await notifyWhenFull(tx, customer.sellerId, times)
  return reminders
}

/** The last mail of the day says so, whether or not others wait. */
async function notifyWhenFull(tx: Tx, userId: string, { now, due }: Times): Promise<void> {
  const day = saoPauloDay(due)
  if (!(await isFull(tx, userId, day))) return
  await notifyShops(tx, [{ userId, notice: { kind: "reminders_full", day }, dedupeKey: `reminders-full:${day}` }], now)
}

function newReminder(invoice: Invoice, channel: ReminderChannel, { due }: Times): Omit<Reminder, "status" | "sentAt"> {
  const { id: invoiceId, sellerId, customer } = invoice
  const day = saoPauloDay(due)
  return {
    ...{ id: newId(), sellerId, customerId: customer.id, invoiceId, step: null, channel, day, mailKey: null },
    amountCents: amountOn(invoice, day).amount,
    createdAt: due,
  }
}

type Mailed = Omit<Queued, "isByHand">
type Site = Pick<Deps, "payersUrl"> & { today: Day }

async function mailOf(tx: Tx, { customer, due, settings }: Mailed, { payersUrl, today }: Site): Promise<MailContent> {
  const { sellerId, name, mailToken } = customer
  const [receiver, shop] = await Promise.all([readReceiver(tx, { sellerId, paidAt: null }), findShop(tx, sellerId)])
  const invoices = due.map(({ invoice }) => ({
    description: invoice.description,
    amountCents: amountOn(invoice, today).amount,
    dueDay: invoice.terms.dueDay,
    url: linkOf(invoice, payersUrl),
  }))
  const [{ invoice, step }] = due as [Due]
  const subscription = invoice.subscriptionId === null ? null : await getSubscription(tx, invoice.subscriptionId)
  // Mail programs make links of addresses: our mails advertise nobody's site.
  const greeted = holdsAddress(name) ? "" : name
  const filled = { ...invoice, customer: { ...invoice.customer, name: greeted } }
  return {
    kind: "reminder",
    customerName: greeted,
    shop: { name: receiver.name, email: shop?.email ?? "" },
    step,
    text: textOf(filled, settings.steps[step].text, { shop: receiver.name, link: linkOf(invoice, payersUrl), today }),
    invoices,
    ...(subscription !== null && { subscriptionUrl: `${payersUrl}${subscriptionPath(subscription)}` }),
    unsubscribeUrl: `${payersUrl}${endRemindersPath.replace(":token", mailToken)}`,
  }
}

export function linkOf({ uniqueLink }: Pick<Invoice, "uniqueLink">, payersUrl: string): string {
  return `${payersUrl}${checkoutPath(uniqueLink)}`
}

/** A page below this one is a payer's, on the host name of payers' pages. */
export const endRemindersPath = "/payment/reminders/:token"

interface ByHand {
  /** The seller's own invoice. */
  id: string
  /** The seller, or the API key that acts for them. */
  seller: Actor
  channel: ReminderChannel
}

interface SentByHand {
  reminder: Reminder
  text: string
  whatsappLink: string
}

/**
 * Sends a reminder now, or notes that the seller did. A second note on one day is the first one.
 * @throws customer_without_email, debit_under_way, invoice_not_found, invoice_not_open, reminder_sent_today, reminders_unwanted, too_many_requests
 */
export async function remindByHand(deps: Deps, byHand: ByHand): Promise<SentByHand> {
  return deps.db.transaction().execute((tx) => remindNow(tx, byHand, deps, timesOf(deps.clock)))
}

async function remindNow(tx: Tx, { id, seller, channel }: ByHand, deps: Deps, times: Times): Promise<SentByHand> {
  const found = await getOwnInvoice(tx, { id, sellerId: seller.id })
  const customer = await lockReminded(tx, { sellerId: seller.id, id: found.customer.id })
  const [invoice = found] = await lockInvoices(tx, [id])
  const today = saoPauloDay(times.due)
  const status = invoiceStatusOn(invoice, today)
  if (status !== "open" || customer === null) throw refusalOf(status)
  if (isDebitUnderWay(invoice, times.due)) throw new DomainError("debit_under_way")
  const settings = await readReminderSettings(tx, seller.id)
  const shop = (await readReceiver(tx, { sellerId: seller.id, paidAt: null })).name
  const step = stepByHand(invoice, today)
  const template = settings.steps[step].text
  const filling = { shop, link: linkOf(invoice, deps.payersUrl), today }
  const whatsapp = textOf(invoice, forWhatsapp(template), filling)
  const reminder =
    channel === "email"
      ? await mailNow(tx, { customer, due: [{ invoice, step }], settings, isByHand: true }, deps, times)
      : await noteOnce(tx, invoice, times)
  await recordAudit(tx, {
    actor: seller,
    happenedAt: times.now,
    action: "invoice.reminded",
    entity: "invoice",
    entityId: id,
    before: null,
    after: { sellerId: seller.id, channel },
  })
  const text = channel === "email" ? textOf(invoice, template, filling) : whatsapp
  return { reminder, text, whatsappLink: whatsappLinkOf(invoice, whatsapp) }
}

async function mailNow(tx: Tx, queued: Queued, deps: Deps, times: Times): Promise<Reminder> {
  const { id, email, remindersEndedAt } = queued.customer
  if (email === null) throw new DomainError("customer_without_email")
  if (remindersEndedAt !== null) throw new DomainError("reminders_unwanted")
  const reminders = await listRemindersOfDay(tx, [id], saoPauloDay(times.due))
  if (await isFull(tx, queued.customer.sellerId, saoPauloDay(times.due))) {
    const message = `Hoje já foram ${REMINDERS_A_DAY} lembretes por e-mail, o máximo de um dia. Mande por WhatsApp, ou amanhã.`
    throw new DomainError("too_many_requests", { message, retryAfterSeconds: 86_400 })
  }
  if (reminders.some(({ mailKey, status }) => mailKey !== null && (status === "queued" || status === "sent")))
    throw new DomainError("reminder_sent_today")
  const [reminder] = (await queue(tx, queued, deps, times)) as [Reminder]
  return reminder
}

async function noteOnce(tx: Tx, invoice: Invoice, times: Times): Promise<Reminder> {
  const { due } = times
  const reminders = await listRemindersOf(tx, [invoice.id])
  const known = reminders.find(({ channel, day }) => channel === "whatsapp" && day === saoPauloDay(due))
  if (known !== undefined) return known
  const reminder: Reminder = { ...newReminder(invoice, "whatsapp", times), status: "sent", sentAt: due }
  await insertReminders(tx, [reminder])
  await appendEvents(tx, "reminder.sent", [reminder.id], due)
  return reminder
}

import { dayAfter } from "@tilinta/contract/vocabulary/due-amount"
import { invoiceStatusOn } from "@tilinta/contract/vocabulary/invoices"
import { type Cents, reaisText } from "@tilinta/contract/vocabulary/money"
import {
  fillReminderText,
  type NoReminder,
  type ReminderChannel,
  type ReminderStatus,
  type ReminderStep,
  reminderSteps,
} from "@tilinta/contract/vocabulary/reminders"
import { type Day, dayText, saoPauloDay, saoPauloHour, type Times } from "#kit/clock"
import { amountOn, debitDayOf, type Invoice, isDebitUnderWay } from "#selling/invoices/rules"

export interface ReminderSettings {
  enabled: boolean
  /** Invoices made before are not announced; null before the first yes. */
  enabledAt: Date | null
  steps: Record<ReminderStep, { enabled: boolean; text: string }>
}

export interface Reminder {
  id: string
  sellerId: string
  customerId: string
  invoiceId: string
  /** Null of one that the seller sent. */
  step: ReminderStep | null
  channel: ReminderChannel
  /** São Paulo's. */
  day: Day
  amountCents: Cents
  /** Deduplicates the mail, which may remind of several invoices; null without one. */
  mailKey: string | null
  status: ReminderStatus
  createdAt: Date
  sentAt: Date | null
}

type DatedStep = Exclude<ReminderStep, "created">

/** The first one goes, of several on one day. */
const byUrgency = ["due", "before_last_day", "after_7", "after_1", "before_3"] as const satisfies readonly DatedStep[]
const daysFromDue = { before_3: -3, due: 0, after_1: 1, after_7: 7 } as const

/** The days to look for, as the query of the job does: the adjusted due days of `today`, and the last day. */
export function daysToFind(today: Day): { step: DatedStep; column: "adjusted_due_day" | "last_day"; day: Day }[] {
  return byUrgency.map((step) =>
    step === "before_last_day"
      ? { step, column: "last_day", day: dayAfter(today, 1) }
      : { step, column: "adjusted_due_day", day: dayAfter(today, -daysFromDue[step]) },
  )
}

/** Those whose words are still true on the day after. */
const mayWait: readonly DatedStep[] = ["after_7", "after_1", "before_3"]

/** Reminders that a full day kept back, by the days of those that go on the day after. */
export function waitingDaysToFind(today: Day) {
  return daysToFind(dayAfter(today, -1)).filter(({ step }) => mayWait.includes(step))
}

type Dated = Pick<Invoice, "adjustedDueDay" | "lastDay">

function dayOf(step: DatedStep, { adjustedDueDay, lastDay }: Dated): Day {
  return step === "before_last_day" ? dayAfter(lastDay, -1) : dayAfter(adjustedDueDay, daysFromDue[step])
}

/** Announced on the day after, too: one made in the evening, or while its customer was reminded of another one. */
function isNewOn({ createdAt }: Pick<Invoice, "createdAt">, enabledAt: Date | null, today: Day): boolean {
  const made = saoPauloDay(createdAt)
  return enabledAt !== null && createdAt >= enabledAt && (made === today || dayAfter(made, 1) === today)
}

/**
 * The reminder that goes today by itself; none asks for what is being debited. The sandbox's days may be ahead; when an
 * invoice was made is true.
 */
export function stepOn(
  invoice: Invoice,
  { enabled, enabledAt, steps }: ReminderSettings,
  { now, due, waited }: Times & { /** Yesterday was full. */ waited: boolean },
): ReminderStep | null {
  const today = saoPauloDay(due)
  if (!enabled || invoiceStatusOn(invoice, today) !== "open" || isDebitUnderWay(invoice, due)) return null
  const isOn = (day: Day) => (step: DatedStep) => steps[step].enabled && dayOf(step, invoice) === day
  const dated = byUrgency.find(isOn(today)) ?? (waited ? mayWait.find(isOn(dayAfter(today, -1))) : undefined)
  if (dated !== undefined) return dated
  return isNewOn(invoice, enabledAt, saoPauloDay(now)) && steps.created.enabled ? "created" : null
}

/** The one that fits the day best, for a seller who sends by hand. */
export function stepByHand(invoice: Dated, today: Day): ReminderStep {
  const { adjustedDueDay } = invoice
  if (dayOf("before_last_day", invoice) === today && today > adjustedDueDay) return "before_last_day"
  if (today < adjustedDueDay) return "before_3"
  if (today === adjustedDueDay) return "due"
  return today < dayOf("after_7", invoice) ? "after_1" : "after_7"
}

interface Next {
  next: { step: ReminderStep; day: Day } | null
  noNext: NoReminder | null
}

interface Circumstances {
  settings: ReminderSettings
  customer: { email: string | null; remindersEndedAt: Date | null }
  times: Times
  /** Today's turn of this customer is over. */
  isRemindedToday: boolean
  /** This invoice's customer, on any day: it is announced no more. */
  isReminded: boolean
}

/** A withheld reminder leaves its day to the next mail. */
export const isTakenBack = ({ status }: Pick<Reminder, "status">): boolean => status === "withheld"

/** The next one that goes by itself; one of today is over in the evening. */
export function nextReminder(invoice: Invoice, circumstances: Circumstances): Next {
  const { settings, customer, times, isRemindedToday, isReminded } = circumstances
  const { now, due } = times
  const today = saoPauloDay(due)
  const none = (noNext: NoReminder): Next => ({ next: null, noNext })
  if (invoiceStatusOn(invoice, today) !== "open") return none("ended")
  if (!settings.enabled) return none("off")
  if (customer.email === null) return none("no_email")
  if (customer.remindersEndedAt !== null) return none("unsubscribed")
  const isOver = isRemindedToday || saoPauloHour(due) >= LAST_HOUR || isDebitUnderWay(invoice, due)
  const first = isOver ? dayAfter(today, 1) : today
  const isAnnounced = !isReminded && isNewOn(invoice, settings.enabledAt, dayAfter(saoPauloDay(now), isOver ? 1 : 0))
  const days = [...byUrgency, ...(isAnnounced ? (["created"] as const) : [])]
    .filter((step) => settings.steps[step].enabled)
    .map((step) => ({ step, day: step === "created" ? first : dayOf(step, invoice) }))
    .filter(({ day }) => day >= first && day <= invoice.lastDay && day !== debitDayOf(invoice))
    .toSorted((one, other) => Number(one.day > other.day) - Number(one.day < other.day))
  const next = days[0]
  return next === undefined ? none("done") : { next, noNext: null }
}

const FIRST_HOUR = 8
const LAST_HOUR = 20

export function isHourOfReminders(due: Date): boolean {
  const hour = saoPauloHour(due)
  return hour >= FIRST_HOUR && hour < LAST_HOUR
}

interface Filling {
  shop: string
  link: string
  today: Day
}

export function textOf(invoice: Invoice, template: string, { shop, link, today }: Filling): string {
  return fillReminderText(template, {
    nome: invoice.customer.name,
    valor: reaisText(amountOn(invoice, today).amount),
    vencimento: dayText(invoice.terms.dueDay),
    loja: shop,
    link,
  })
}

/** Opens WhatsApp with the text ready; without a phone, one chooses whom to send it to. */
export function whatsappLinkOf({ customer: { phone } }: Pick<Invoice, "customer">, text: string): string {
  return `https://wa.me/${phone === null ? "" : `55${phone}`}?text=${encodeURIComponent(text)}`
}

/** WhatsApp has neither the greeting nor the button of a mail. */
export function forWhatsapp(template: string): string {
  const greeting = template.includes("{nome}") ? "" : "Olá, {nome}! "
  return `${greeting}${template}${template.includes("{link}") ? "" : " Pague com Pix em {link}"}`
}

/** First what is most urgent, then what is due first. */
export function inOrder<Due extends { invoice: Invoice; step: ReminderStep }>(due: readonly Due[]): Due[] {
  const order: readonly ReminderStep[] = [...byUrgency, "created"]
  return due.toSorted(
    (one, other) =>
      order.indexOf(one.step) - order.indexOf(other.step) ||
      (one.invoice.terms.dueDay < other.invoice.terms.dueDay ? -1 : 1),
  )
}

export type OwnSteps = Partial<Record<ReminderStep, { enabled?: boolean; text?: string }>>

export const enabledSteps = ({ steps }: ReminderSettings): ReminderStep[] =>
  reminderSteps.filter((step) => steps[step].enabled)

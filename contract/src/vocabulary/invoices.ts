import { adjustedDueDay, type Day, type DueTerms, dayAfter, dueAmountOn, lastDayOf, type Share } from "./due-amount.ts"
import {
  basisPointsFromPercentage,
  type Cents,
  centsFromReais,
  MAX_AMOUNT_CENTS,
  percentageFromBasisPoints,
  reaisFromCents,
} from "./money.ts"

/** `creating`: the bank is asked for the code of its whole life. */
export const invoiceStatuses = ["creating", "open", "paid", "cancelled", "expired", "settled_outside"] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** It can be paid, by its days too. */
export function isOpenInvoice(status: InvoiceStatus): boolean {
  return status === "open" || status === "creating"
}

export const invoiceModes = ["daily", "bank"] as const
export type InvoiceMode = (typeof invoiceModes)[number]

/** Labels of what people see: an open invoice is due or overdue by its days, whatever a job has marked. */
export const invoiceStateLabels = {
  due: "A vencer",
  due_today: "Vence hoje",
  overdue: "Vencida",
  paid: "Paga",
  paid_late: "Paga com atraso",
  refunded: "Estornada",
  expired: "Prazo encerrado",
  cancelled: "Cancelada",
  settled_outside: "Recebida por fora",
} as const
export type InvoiceState = keyof typeof invoiceStateLabels
export const invoiceStates = /* @__PURE__ */ Object.keys(invoiceStateLabels) as InvoiceState[]

/** The words by which a list is filtered; `open` are those of `due` and `overdue`, `ended` all that is over without a Pix. */
export const invoiceFilters = [
  "open",
  "due",
  "overdue",
  "paid",
  "ended",
  "cancelled",
  "expired",
  "settled_outside",
] as const
export type InvoiceFilter = (typeof invoiceFilters)[number]

interface Dated {
  status: InvoiceStatus
  adjustedDueDay: Day
  lastDay: Day
  /** São Paulo's day of the payment. */
  paidDay: Day | null
  isRefunded: boolean
}

/** An open invoice is over from the first moment after its last day. */
export function invoiceStatusOn({ status, lastDay }: Pick<Dated, "status" | "lastDay">, today: Day): InvoiceStatus {
  return status === "open" && today > lastDay ? "expired" : status
}

export function invoiceStateOn(invoice: Dated, today: Day): InvoiceState {
  const { isRefunded, paidDay } = invoice
  const status = invoiceStatusOn(invoice, today)
  if (status === "paid") {
    if (isRefunded) return "refunded"
    return paidDay !== null && paidDay > invoice.adjustedDueDay ? "paid_late" : "paid"
  }
  if (status !== "open" && status !== "creating") return status
  if (today > invoice.adjustedDueDay) return "overdue"
  return today === invoice.adjustedDueDay ? "due_today" : "due"
}

export const fineTypes = ["percent", "fixed"] as const
export const interestTypes = ["percentMonth", "percentDay", "fixedDay"] as const
export const discountTypes = ["percent", "fixed"] as const
export const MOST_DISCOUNTS = 3
export const MOST_DAYS_AFTER_DUE = 365
export const DEFAULT_DAYS_AFTER_DUE = 30

export const FEWEST_INSTALMENTS = 2
export const MOST_INSTALMENTS = 24

/** As people and programs state them: percent or reais. */
export interface SentTerms {
  amount: number
  dueDate: Day
  daysAfterDue: number
  fine?: { type: (typeof fineTypes)[number]; value: number } | null | undefined
  interest?: { type: (typeof interestTypes)[number]; value: number } | null | undefined
  discounts?: readonly { type: (typeof discountTypes)[number]; value: number; until: Day }[] | null | undefined
}

const percentOf = (value: number): Share => ({ basisPoints: basisPointsFromPercentage(value) })
const centsOf = (value: number): Share => ({ cents: centsFromReais(value) })

/** For the calculator. A value with more than two decimals must have been refused before. */
export function dueTermsOf({ amount, dueDate, daysAfterDue, fine, interest, discounts }: SentTerms): DueTerms {
  return {
    amountCents: centsFromReais(amount),
    dueDay: dueDate,
    daysAfterDue,
    ...(fine && { fine: fine.type === "percent" ? percentOf(fine.value) : centsOf(fine.value) }),
    ...(interest && {
      interest: {
        share: interest.type === "fixedDay" ? centsOf(interest.value) : percentOf(interest.value),
        per: interest.type === "percentMonth" ? "month" : "day",
        counting: "calendar",
      },
    }),
    ...(discounts &&
      discounts.length > 0 && {
        discount: {
          until: discounts
            .map(({ type, value, until }) => ({
              day: until,
              share: type === "percent" ? percentOf(value) : centsOf(value),
            }))
            .toSorted((one, other) => (one.day < other.day ? -1 : 1)),
        },
      }),
  }
}

/** The way back, for answers. */
export function sentTermsOf({ amountCents, dueDay, daysAfterDue, fine, interest, discount }: DueTerms) {
  const value = (share: Share) =>
    "cents" in share ? reaisFromCents(share.cents) : percentageFromBasisPoints(share.basisPoints)
  const steps = discount !== undefined && "until" in discount ? discount.until : []
  return {
    amount: reaisFromCents(amountCents),
    dueDate: dueDay,
    daysAfterDue,
    fine:
      fine === undefined
        ? null
        : { type: "cents" in fine ? ("fixed" as const) : ("percent" as const), value: value(fine) },
    interest: interest === undefined ? null : { type: interestTypeOf(interest), value: value(interest.share) },
    discounts: steps.map(({ day, share }) => {
      return { type: "cents" in share ? ("fixed" as const) : ("percent" as const), value: value(share), until: day }
    }),
  }
}

function interestTypeOf({ share, per }: NonNullable<DueTerms["interest"]>): (typeof interestTypes)[number] {
  if ("cents" in share) return "fixedDay"
  return per === "month" ? "percentMonth" : "percentDay"
}

interface TermsProblem {
  path: string
  message: string
}

/** An instalment may be less than what was asked for in all. */
function problemsOfAmount({ amount }: SentTerms): TermsProblem[] {
  return amount < 1 ? [{ path: "amount", message: "O valor mínimo da cobrança é R$ 1,00" }] : []
}

const MOST_YEARS = 5

/** Problems of well-formed terms; `since` is today, or the day they were made where only others change. */
export function problemsOfTerms(sent: SentTerms, today: Day, since: Day = today): TermsProblem[] {
  return [
    ...problemsOfAmount(sent),
    ...problemsOfDueDay(sent, today),
    ...problemsOfLateness(sent),
    ...problemsOfDiscounts(sent, since),
  ]
}

function problemsOfDueDay({ dueDate }: SentTerms, today: Day): TermsProblem[] {
  const latest = `${Number(today.slice(0, 4)) + MOST_YEARS}${today.slice(4)}`
  if (dueDate < today) return [{ path: "dueDate", message: "O vencimento não pode ser anterior a hoje" }]
  if (dueDate > latest) return [{ path: "dueDate", message: `O vencimento pode ser no máximo em ${MOST_YEARS} anos` }]
  return []
}

const isWithin = (value: number, least: number, most: number) => value >= least && value <= most

/** Whether a value in reais is at most an amount's `parts`th part: reais divided as floats would miss it by a hair. */
function isAtMostPart(value: number, parts: number, amount: number): boolean {
  return centsFromReais(value) * parts <= centsFromReais(amount)
}

function problemsOfLateness({ amount, fine, interest }: SentTerms): TermsProblem[] {
  const problems: TermsProblem[] = []
  const refuse = (path: string, message: string) => problems.push({ path, message })
  if (fine?.type === "percent" && !isWithin(fine.value, 0.01, 20)) {
    refuse("fine.value", "A multa deve ficar entre 0,01 % e 20 %")
  }
  if (fine?.type === "fixed" && !(fine.value >= 0.01 && fine.value < amount)) {
    refuse("fine.value", "A multa deve ser menor que o valor da cobrança")
  }
  if (interest?.type === "percentMonth" && !isWithin(interest.value, 0.01, 20)) {
    refuse("interest.value", "Os juros devem ficar entre 0,01 % e 20 % ao mês")
  }
  if (interest?.type === "percentDay" && !isWithin(interest.value, 0.01, 1)) {
    refuse("interest.value", "Os juros devem ficar entre 0,01 % e 1 % ao dia")
  }
  if (interest?.type === "fixedDay" && !(interest.value >= 0.01 && isAtMostPart(interest.value, 10, amount))) {
    refuse("interest.value", "Os juros por dia são altos demais para este valor")
  }
  return problems
}

function problemsOfDiscounts({ amount, dueDate, discounts }: SentTerms, since: Day): TermsProblem[] {
  const sent = discounts ?? []
  if (sent.length > MOST_DISCOUNTS) return [{ path: "discounts", message: `Use no máximo ${MOST_DISCOUNTS} descontos` }]
  if (new Set(sent.map(({ type }) => type)).size > 1) {
    return [{ path: "discounts", message: "Use um só tipo de desconto: em porcentagem ou em reais" }]
  }
  if (new Set(sent.map(({ until }) => until)).size < sent.length) {
    return [{ path: "discounts", message: "Cada desconto precisa de uma data diferente" }]
  }
  const problems = sent.flatMap(({ type, value, until }, index): TermsProblem[] => {
    const path = `discounts.${index}`
    if (until > dueDate) return [{ path: `${path}.until`, message: "O desconto vale no máximo até o vencimento" }]
    if (until < since) return [{ path: `${path}.until`, message: "A data do desconto já passou" }]
    const isTooMuch = type === "percent" ? value >= 100 : value >= amount
    if (value < 0.01 || isTooMuch)
      return [{ path: `${path}.value`, message: "O desconto deve ser menor que o valor da cobrança" }]
    return []
  })
  if (problems.length > 0) return problems
  const sorted = sent.toSorted((one, other) => (one.until < other.until ? -1 : 1))
  const isGrowing = sorted.some(({ value }, index) => value > (sorted[index - 1]?.value ?? value))
  return isGrowing ? [{ path: "discounts", message: "Um desconto posterior não pode ser maior que o anterior" }] : []
}

/** The problem of terms without others: no day may ask nothing, or more than a Pix may be. */
export function problemOfAmounts(terms: DueTerms, today: Day): TermsProblem | null {
  // The amount never falls from one day to the next.
  if (dueAmountOn(terms, today).amount < 1)
    return { path: "discounts", message: "Com o desconto não sobra nada a pagar" }
  if (dueAmountOn(terms, lastDayOf(terms)).amount > MAX_AMOUNT_CENTS) {
    return { path: "amount", message: "Com multa e juros o valor passaria de R$ 9.999.999,99 até o último dia" }
  }
  return null
}

/** Terms that are allowed and yet worth a second look. */
export function warningsOfTerms({ daysAfterDue, fine, interest, ...sent }: SentTerms): TermsProblem[] {
  const warnings: TermsProblem[] = []
  const warn = (path: string, message: string) => warnings.push({ path, message })
  if (fine && (fine.type === "fixed" ? !isAtMostPart(fine.value, 50, sent.amount) : fine.value > 2))
    warn("fine", "Multa acima de 2 % não vale para consumidores (CDC, art. 52)")
  if (interest && !isAtMostOnePercentMonthly(interest, sent.amount))
    warn("interest", "Juros acima de 1 % ao mês podem ser contestados pelo cliente")
  if (daysAfterDue === 0 && (fine || interest)) {
    warn("daysAfterDue", "Sem dias depois do vencimento, multa e juros só valem se o vencimento cair em dia não útil")
  }
  return warnings
}

function isAtMostOnePercentMonthly({ type, value }: NonNullable<SentTerms["interest"]>, amount: number): boolean {
  if (type === "fixedDay") return isAtMostPart(value, 3000, amount)
  return (type === "percentMonth" ? value : value * 30) <= 1
}

/** A month apart, on the same day or the last one of a shorter month. */
export function instalmentsOf({ amount, ...sent }: SentTerms, count: number): SentTerms[] {
  const total = centsFromReais(amount)
  const each = Math.floor(total / count)
  return Array.from({ length: count }, (_, index) => {
    const cents = index === count - 1 ? total - each * (count - 1) : each
    return { ...termsDueOn(sent, monthsAfter(sent.dueDate, index)), amount: reaisFromCents(cents as Cents) }
  })
}

/** The same terms with another due day: discounts end as many days before it. */
export function termsDueOn<Sent extends Pick<SentTerms, "dueDate" | "discounts">>(sent: Sent, dueDate: Day): Sent {
  const discounts = sent.discounts?.map((discount) => {
    return { ...discount, until: dayAfter(dueDate, -daysBetween(discount.until, sent.dueDate)) }
  })
  return { ...sent, dueDate, discounts }
}

const daysBetween = (from: Day, to: Day) => (Date.parse(to) - Date.parse(from)) / 86_400_000

/** The same day of another month, or the last one of a shorter month. */
export function monthsAfter(day: Day, months: number): Day {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number)
  const length = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, length))).toISOString().slice(0, 10)
}

/** Today, the due day, and 1, 7 and 30 days after it, as far as it can be paid then. */
export function previewDaysOf(terms: Pick<DueTerms, "dueDay" | "daysAfterDue">, today: Day): Day[] {
  const usual = [today, terms.dueDay, ...[1, 7, 30].map((late) => dayAfter(terms.dueDay, late))]
  const lastDay = lastDayOf(terms)
  return [...new Set(usual)].filter((day) => day >= today && day <= lastDay).toSorted()
}

/** The days of `due` are all but those up to this one, and of `overdue` those up to it: weekends and holidays roll on. */
export function lastLateDueDay(today: Day): Day {
  let day = dayAfter(today, -1)
  while (adjustedDueDay({ dueDay: day }) >= today) day = dayAfter(day, -1)
  return day
}

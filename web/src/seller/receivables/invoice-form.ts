import { createInvoiceBody, type InvoiceView } from "@tilinta/contract/invoices"
import type { Day } from "@tilinta/contract/vocabulary/due-amount"
import {
  DEFAULT_DAYS_AFTER_DUE,
  type discountTypes,
  dueTermsOf,
  type fineTypes,
  type InvoiceMode,
  type interestTypes,
  problemOfAmounts,
  problemsOfTerms,
  type SentTerms,
} from "@tilinta/contract/vocabulary/invoices"
import * as z from "zod/mini"
import { saoPauloDay } from "#format/dates.ts"

interface Share<T extends string> {
  /** Empty for none. */
  type: T | ""
  value: number | null
}

export interface InvoiceForm {
  /** Empty while none is chosen, or a new one is entered. */
  customerIds: string[]
  isNew: boolean
  customer: { name: string; document: string; email: string; phone: string }
  amount: number | null
  dueDate: Day
  /** Into so many monthly parts; of one customer alone. */
  count: string
  daysAfterDue: string
  mode: InvoiceMode
  fine: Share<(typeof fineTypes)[number]>
  interest: Share<(typeof interestTypes)[number]>
  discountType: (typeof discountTypes)[number]
  discounts: { value: number | null; until: Day }[]
  description: string
  externalReference: string
}

export function emptyInvoice(...customerIds: string[]): InvoiceForm {
  return {
    customerIds,
    isNew: false,
    customer: { name: "", document: "", email: "", phone: "" },
    amount: null,
    dueDate: "",
    count: "1",
    daysAfterDue: String(DEFAULT_DAYS_AFTER_DUE),
    mode: "daily",
    fine: { type: "", value: null },
    interest: { type: "", value: null },
    discountType: "fixed",
    discounts: [],
    description: "",
    externalReference: "",
  }
}

export function formOf(invoice: InvoiceView): InvoiceForm {
  const { fine, interest, discounts } = invoice
  return {
    ...emptyInvoice(invoice.customer._id),
    amount: invoice.amount,
    dueDate: invoice.dueDate,
    daysAfterDue: String(invoice.daysAfterDue),
    mode: invoice.mode,
    fine: fine ?? { type: "", value: null },
    interest: interest ?? { type: "", value: null },
    ...discountsOf(discounts),
    description: invoice.description,
    externalReference: invoice.externalReference ?? "",
  }
}

/** Whether any of 'Mais opções' is in use. */
export function hasMore({ daysAfterDue, fine, interest, discounts, ...rest }: InvoiceForm): boolean {
  if (rest.mode === "bank") return true
  const words = [fine.type, interest.type, rest.description, rest.externalReference]
  return words.some((word) => word !== "") || discounts.length > 0 || daysAfterDue !== String(DEFAULT_DAYS_AFTER_DUE)
}

export function shareBody<T extends string>({ type, value }: Share<T>) {
  return type === "" ? null : { type, value: value ?? 0 }
}

type Discounts = Pick<InvoiceForm, "discountType" | "discounts">

export function discountsBody({ discountType: type, discounts }: Discounts) {
  return discounts.map(({ value, until }) => ({ type, value: value ?? 0, until }))
}

export function discountsOf(discounts: InvoiceView["discounts"]): Discounts {
  return {
    discountType: discounts[0]?.type ?? "fixed",
    discounts: discounts.map(({ value, until }) => ({ value, until })),
  }
}

export function termsOf(form: InvoiceForm): SentTerms {
  return {
    amount: form.amount ?? 0,
    dueDate: form.dueDate,
    daysAfterDue: form.daysAfterDue.trim() === "" ? DEFAULT_DAYS_AFTER_DUE : Number(form.daysAfterDue),
    fine: shareBody(form.fine),
    interest: shareBody(form.interest),
    discounts: discountsBody(form),
  }
}

/** Not even an id: whether there is a customer the contract checks only once all else is right. */
export const nobody = 0 as unknown as string

function bodyOf(form: InvoiceForm): z.input<typeof createInvoiceBody> {
  const { discounts, ...terms } = termsOf(form)
  return {
    ...(form.isNew ? { customer: form.customer } : { customerId: form.customerIds[0] ?? nobody }),
    ...terms,
    discounts: [...(discounts ?? [])],
    description: form.description,
    externalReference: form.externalReference,
    mode: form.mode,
  }
}

interface Days {
  /** The earliest due day. */
  today: Day
  /** The day from which a discount may be. */
  since: Day
}

/** Terms that were allowed when an invoice was made may stay. */
export function daysFor(invoice: Pick<InvoiceView, "createdAt" | "dueDate"> | null, today: Day): Days {
  if (invoice === null) return { today, since: today }
  const made = saoPauloDay(new Date(invoice.createdAt))
  return { today: invoice.dueDate < today ? invoice.dueDate : today, since: made < today ? made : today }
}

/** The contract's body, and what is wrong with its terms: the server applies the same rules. */
export function invoiceSchema({ today, since }: Days) {
  const sound = createInvoiceBody.check(({ value, issues }) => {
    if (issues.length > 0) return
    const sent = { ...value, daysAfterDue: value.daysAfterDue ?? DEFAULT_DAYS_AFTER_DUE }
    for (const { path, message } of problemsIn(sent, { today, since })) {
      issues.push({ code: "custom", input: value, path: path.split("."), message })
    }
  })
  return z.pipe(z.transform(bodyOf), sound)
}

export function problemsIn(sent: SentTerms, { today, since }: Days) {
  const problems = problemsOfTerms(sent, today, since)
  const ofAmounts = problems.length === 0 ? problemOfAmounts(dueTermsOf(sent), today) : null
  return ofAmounts === null ? problems : [ofAmounts]
}

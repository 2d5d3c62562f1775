import type { InvoiceRevision, InvoiceView } from "@tilinta/contract/invoices"
import type { DueAmount } from "@tilinta/contract/vocabulary/due-amount"
import {
  type InvoiceStatus,
  invoiceStatusOn,
  sentTermsOf,
  warningsOfTerms,
} from "@tilinta/contract/vocabulary/invoices"
import { type Cents, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { Day } from "#kit/clock"
import { checkoutPath } from "#selling/charge-pages/rules"
import { amountOn, type Invoice, type PaidParts, type Revision, stateOn } from "./rules.ts"

export function toInvoiceView(invoice: Invoice, today: Day, payersUrl: string): InvoiceView {
  const terms = sentTermsOf(invoice.terms)
  const { customer, paidAt, status } = invoice
  return {
    _id: invoice.id,
    transactionId: invoice.chargeId,
    subscriptionId: invoice.subscriptionId,
    status: shownStatus(invoice, today),
    state: stateOn(invoice, today),
    mode: invoice.mode,
    ...terms,
    description: invoice.description,
    ...invoice.order,
    link: `${payersUrl}${checkoutPath(invoice.uniqueLink)}`,
    today: toAmountView(amountOn(invoice, today)),
    lastDay: invoice.lastDay,
    customer: {
      _id: customer.id,
      name: customer.name,
      document: customer.document ?? "",
      email: customer.email ?? "",
      phone: customer.phone ?? "",
    },
    revision: invoice.revision,
    paidAt: paidAt?.toISOString() ?? null,
    paid: status === "paid" && invoice.paid !== null ? toPaidView(invoice.paid) : null,
    settledFor: invoice.settledFor,
    // Older events know nothing of it.
    openedAt: invoice.openedAt?.toISOString() ?? null,
    pixCode: status === "open" ? invoice.pixCode : null,
    warnings: [...warningsOfTerms(terms), ...warningOfCode(invoice)],
    createdAt: invoice.createdAt.toISOString(),
    updatedAt: invoice.updatedAt.toISOString(),
  }
}

/** The bank is asked for the code of its whole life. */
function shownStatus(invoice: Invoice, today: Day): InvoiceStatus {
  const status = invoiceStatusOn(invoice, today)
  return status === "open" && invoice.mode === "bank" && invoice.pixCode === null ? "creating" : status
}

function warningOfCode({ bankRefusal }: Invoice) {
  const message = "O banco não aceitou um código com vencimento. O cliente paga pelo link, com o valor do dia."
  return bankRefusal === null ? [] : [{ path: "mode", message }]
}

export function toRevisionView({ revision, terms, madeAt }: Revision): InvoiceRevision {
  return { revision, ...sentTermsOf(terms), madeAt: madeAt.toISOString() }
}

export function toAmountView({ day, amount, discount, fine, interest }: DueAmount & { day: Day }) {
  const reais = (cents: Cents) => reaisFromCents(cents)
  return { day, amount: reais(amount), discount: reais(discount), fine: reais(fine), interest: reais(interest) }
}

function toPaidView(paid: PaidParts) {
  return {
    amount: reaisFromCents(paid.paidCents),
    original: reaisFromCents(paid.originalCents),
    discount: reaisFromCents(paid.discountCents),
    fine: reaisFromCents(paid.fineCents),
    interest: reaisFromCents(paid.interestCents),
    difference: reaisFromCents(paid.differenceCents),
    expected: reaisFromCents(paid.ourCents),
  }
}

import type { PublicInvoiceView } from "@tilinta/contract/charge-pages"
import type { EndedInvoice } from "@tilinta/contract/pages/checkout-props"
import { type Day, dayAfter, dueAmountOn } from "@tilinta/contract/vocabulary/due-amount"
import { invoiceStatusOn } from "@tilinta/contract/vocabulary/invoices"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { type Clock, daysAfter, dueTime, saoPauloDay, startOfDay } from "#kit/clock"
import { findShop } from "#people/shops/reads"
import { getUser } from "#people/users/reads"
import type { PublicPageResult } from "#selling/charge-pages/public-page"
import { findInvoiceOfLink, findInvoiceOfPage } from "./reads.ts"
import { amountOn, debitDayOf, type Invoice, isDebitUnderWay } from "./rules.ts"

interface Deps {
  db: Db
  clock: Clock
}

/** The page of an invoice asks what today asks; after the last day it is no page any more, whenever a job marks it. */
export async function withInvoice({ db, clock }: Deps, result: PublicPageResult): Promise<PublicPageResult> {
  const { found, pageId } = result
  if (found === null || !found.page.isInvoice || found.page.status !== "active") return result
  const invoice = await findInvoiceOfPage(db, found.page.id)
  const now = dueTime(clock)
  const today = saoPauloDay(now)
  if (invoice === null || invoiceStatusOn(invoice, today) !== "open")
    return { found: null, pageId, hiddenBy: "public_charge_page_not_found", closedShop: found.shop }
  if (isDebitUnderWay(invoice, now)) return { found: null, pageId, hiddenBy: "debit_under_way", closedShop: found.shop }
  const page = { ...found.page, amountCents: amountOn(invoice, today).amount }
  return { ...result, found: { ...found, page, invoice: toPublicInvoice(invoice, now) } }
}

const DAYS_SHOWN = 4

function toPublicInvoice(invoice: Invoice, now: Date): PublicInvoiceView {
  const { terms, adjustedDueDay, lastDay } = invoice
  const today = saoPauloDay(now)
  const midnight = startOfDay(daysAfter(today, 1))
  const { discount, fine, interest } = amountOn(invoice, today)
  const days = Array.from({ length: DAYS_SHOWN }, (_, ahead) => dayAfter(today, ahead)).filter((day) => day <= lastDay)
  return {
    dueDate: terms.dueDay,
    adjustedDueDate: adjustedDueDay,
    lastDay,
    daysLate: daysLate(adjustedDueDay, today),
    original: reaisFromCents(terms.amountCents),
    discount: reaisFromCents(discount),
    fine: reaisFromCents(fine),
    interest: reaisFromCents(interest),
    discountUntil: lastDayOfDiscount(invoice, today),
    secondsLeft: Math.ceil((midnight.getTime() - now.getTime()) / 1000) + 1,
    schedule: days.map((day) => ({ day, amount: reaisFromCents(dueAmountOn(terms, day).amount) })),
  }
}

function daysLate(adjustedDueDay: Day, today: Day): number {
  let days = 0
  while (dayAfter(adjustedDueDay, days) < today) days += 1
  return days
}

/** Until the due day there is a discount of today's, or none. */
function lastDayOfDiscount({ terms, adjustedDueDay }: Invoice, today: Day): Day | null {
  const { discount } = dueAmountOn(terms, today)
  if (discount === 0) return null
  let day = today
  while (day < adjustedDueDay && dueAmountOn(terms, dayAfter(day, 1)).discount === discount) day = dayAfter(day, 1)
  return day
}

/** Why the page of this link takes no payments; null of any other page. */
export async function findEndedInvoice({ db, clock }: Deps, link: string): Promise<EndedInvoice | null> {
  const invoice = await findInvoiceOfLink(db, link)
  if (invoice === null) return null
  const now = dueTime(clock)
  const today = saoPauloDay(now)
  const debitDay = isDebitUnderWay(invoice, now) ? debitDayOf(invoice) : null
  const status = invoiceStatusOn(invoice, today)
  const state = status === "open" && debitDay !== null ? "debiting" : status
  if (state === "creating" || state === "open" || state === "paid") return null
  const [shop, seller] = await Promise.all([findShop(db, invoice.sellerId), getUser(db, invoice.sellerId)])
  const debited = debitDay === today ? "hoje" : debitDay === daysAfter(today, 1) ? "amanhã" : null
  return { state, lastDay: invoice.lastDay, debited, seller: shop?.name ?? seller.name }
}

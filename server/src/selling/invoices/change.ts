import { isDeepStrictEqual } from "node:util"
import { type DueTerms, dueAmountOn } from "@tilinta/contract/vocabulary/due-amount"
import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import type { FeeRule } from "@tilinta/contract/vocabulary/fee"
import type { InvoiceStatus, SentTerms } from "@tilinta/contract/vocabulary/invoices"
import { dueTermsOf, invoiceStatusOn, sentTermsOf } from "@tilinta/contract/vocabulary/invoices"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { type Clock, type Day, saoPauloDay, secondsAfter, startOfDay, type Times } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { notifyShops } from "#people/team/notify"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import type { PspDebtor } from "#psp/psp"
import {
  lockPagesOfCharges,
  type PageOfInvoice,
  requireChangeablePage,
  saveInvoicePage,
} from "#selling/charge-pages/change"
import { type OrderChanges, withOrderChanges } from "#selling/charge-pages/rules"
import { readCustomer } from "#selling/customers/reads"
import { recordInvoice, requireSoundTerms } from "./create.ts"
import { findInvoice, findInvoiceOfPage, findInvoices, findUnpublishedOverdue, sumPublishedOverdue } from "./reads.ts"
import { codeAmountOn, endOfCode, type Invoice, type InvoiceCustomer, isDebitUnderWay, withTerms } from "./rules.ts"
import {
  type ClaimedInvoice,
  claimUnsent,
  forgetCodes,
  forgetOverdue,
  insertDayOnce,
  insertRevision,
  type KeptCode,
  keepCodeRow,
  markBank,
  markDaily,
  markExpiredInvoices,
  markOpened,
  markOverduePublished,
  setDebitFrom,
  updateInvoiceRow,
} from "./table.ts"

/** Missing fields stay as they are; null removes. */
export interface InvoiceChanges {
  terms: Partial<SentTerms>
  description?: string | undefined
  order: OrderChanges
}

export interface OwnInvoice {
  id: string
  /** The seller, or the API key that acts for them. */
  seller: Actor
}

/** Pages are locked before invoices, as bookings do, so that an edit and a payment wait for each other. @throws invoice_not_found */
async function lockOwn(tx: Tx, { id, seller }: OwnInvoice): Promise<Invoice> {
  const found = await findInvoice(tx, { id, sellerId: seller.id })
  if (found === null) throw new DomainError("invoice_not_found")
  await lockPagesOfCharges(tx, [found.pageId])
  return (await findInvoice(tx, { id, sellerId: seller.id })) ?? found
}

/** As they are now; nobody pays, changes or ends them before the transaction is over. */
export async function lockInvoices(tx: Tx, ids: readonly string[]): Promise<Invoice[]> {
  const found = await findInvoices(tx, ids)
  await lockPagesOfCharges(
    tx,
    found.map(({ pageId }) => pageId),
  )
  return findInvoices(tx, ids)
}

const notOpen: Partial<Record<InvoiceStatus, string>> = {
  paid: "Esta cobrança acabou de ser paga.",
  cancelled: "Esta cobrança foi cancelada.",
  settled_outside: "Esta cobrança já foi marcada como recebida por fora.",
  expired: "O prazo para pagar esta cobrança terminou. Mude o vencimento para cobrar de novo.",
}

export function refusalOf(status: InvoiceStatus): DomainError {
  const message = notOpen[status]
  return new DomainError("invoice_not_open", message === undefined ? {} : { message })
}

/**
 * Call it through `closings/invoices`, which ends the code of the day: nobody may pay outdated terms. One that is over is
 * open again with a later due day.
 * @throws charge_page_not_editable, external_reference_taken, invoice_not_found, invoice_not_open, validation_failed
 */
export async function changeInvoice(
  tx: Tx,
  own: OwnInvoice,
  changes: InvoiceChanges,
  { now, due }: Times,
): Promise<Invoice & { isReopened: boolean }> {
  const before = await lockOwn(tx, own)
  if (before.status !== "open" && before.status !== "expired") throw refusalOf(before.status)
  await requireChangeablePage(tx, before.pageId)
  if (isDebitUnderWay(before, due)) throw new DomainError("debit_under_way")
  const today = saoPauloDay(due)
  const after = withChanges(before, changes, { today, now })
  if (after.lastDay < today) throw refusalOf("expired")
  const hasNewTerms = after.revision > before.revision
  await updateInvoiceRow(tx, after)
  if (after.adjustedDueDay >= today) await forgetOverdue(tx, after.id)
  if (hasNewTerms) await insertRevision(tx, after)
  await saveInvoicePage(tx, pageOf(after, today, changes.order), now)
  await appendEvents(tx, "invoice.updated", [after.id], due)
  await recordInvoice(tx, { actor: own.seller, action: "changed", before, after, today })
  const isReopened = invoiceStatusOn(before, today) === "expired"
  if (isReopened) await forgetCodes(tx, [before.pageId])
  return { ...after, isReopened }
}

function withChanges(before: Invoice, changes: InvoiceChanges, { today, now }: { today: Day; now: Date }): Invoice {
  const was = sentTermsOf(before.terms)
  const sent: SentTerms = {
    ...was,
    ...Object.fromEntries(Object.entries(changes.terms).filter(([, part]) => part !== undefined)),
  }
  const terms = dueTermsOf(sent)
  const isSame = isDeepStrictEqual(terms, before.terms)
  if (!isSame) {
    requireSoundTerms(sent, terms, {
      // Terms that were allowed when it was made may stay.
      today: sent.dueDate === was.dueDate && before.terms.dueDay < today ? before.terms.dueDay : today,
      ...(changes.terms.discounts === undefined && { discountsSince: saoPauloDay(before.createdAt) }),
    })
  }
  return {
    ...withTerms(before, terms),
    description: changes.description ?? before.description,
    order: withOrderChanges(before.order, changes.order),
    revision: isSame ? before.revision : before.revision + 1,
    status: "open",
    updatedAt: now,
  }
}

function pageOf(invoice: Invoice, today: Day, order: OrderChanges = {}): PageOfInvoice {
  return {
    id: invoice.pageId,
    status: "active",
    amountCents: codeAmountOn(invoice, today),
    description: invoice.description,
    order,
  }
}

type Ended = "cancelled" | "settled_outside"

/** Call it through `closings/invoices`, which ends the code of the day. @throws debit_under_way, invoice_not_found, invoice_not_open */
export async function endInvoice(
  tx: Tx,
  own: OwnInvoice,
  { status, settledFor }: { status: Ended; settledFor: string | null },
  { now, due }: Times,
): Promise<Invoice> {
  const today = saoPauloDay(due)
  const before = await lockOwn(tx, own)
  const isOver = invoiceStatusOn(before, today) === "expired"
  // An expired one may still have been paid another way.
  const mayEnd = before.status === "open" || (status === "settled_outside" && before.status === "expired")
  if (!mayEnd || (isOver && status === "cancelled")) throw refusalOf(isOver ? "expired" : before.status)
  if (isDebitUnderWay(before, due)) {
    throw new DomainError("debit_under_way", { message: errorMessages.debit_too_late })
  }
  const after: Invoice = { ...before, status, settledFor, updatedAt: now }
  await updateInvoiceRow(tx, after)
  await saveInvoicePage(tx, { ...pageOf(after, today), status: "cancelled" }, now)
  await appendEvents(tx, status === "cancelled" ? "invoice.cancelled" : "invoice.updated", [after.id], due)
  await recordInvoice(tx, { actor: own.seller, action: status, before, after, today })
  return after
}

/** The pages of those that nobody paid or changed meanwhile. Call it through `closings/invoices`, under the pages' locks. */
export async function expireLocked(tx: Tx, ids: readonly string[], { now, due }: Times): Promise<string[]> {
  const expired = await markExpiredInvoices(tx, ids, saoPauloDay(due), now)
  await appendEvents(
    tx,
    "invoice.expired",
    expired.map(({ id }) => id),
    due,
  )
  return expired.map(({ pageId }) => pageId)
}

/** Tells integrators once of each open invoice that is late. An edit that gives it more time lets it be told again. */
export async function publishOverdue(tx: Tx, { now, due }: Times, atMost: number): Promise<number> {
  const today = saoPauloDay(due)
  const found = await findUnpublishedOverdue(tx, today, atMost)
  await lockPagesOfCharges(
    tx,
    found.map(({ pageId }) => pageId),
  )
  const ids = found.map(({ id }) => id)
  const published = await markOverduePublished(tx, ids, today, now)
  await appendEvents(tx, "invoice.overdue", published, due)
  const sums = await sumPublishedOverdue(tx, published, startOfDay(saoPauloDay(now)))
  const notices = sums.map(({ sellerId: userId, ...amounts }) => {
    return { userId, about: `overdue:${today}`, notice: { kind: "invoices_overdue", day: today, ...amounts } as const }
  })
  await notifyShops(tx, notices, now)
  return found.length
}

/** The first time that its payer has it on a screen; whoever holds the link may say so. */
export async function noteOpened({ db, clock }: { db: Db; clock: Clock }, link: string): Promise<void> {
  await db.transaction().execute((tx) => markOpened(tx, link, clock.now()))
}

export interface PricedInvoice {
  /** Today's; in mode `bank` the original one, as the bank computes that of the day. */
  amountCents: Cents
  /** Frozen when the invoice was made. */
  fee: FeeRule
  /** Names the code that this day and these terms have. */
  key: string
  expiresAt: Date
  payer: InvoiceCustomer
  /** Codes of other days or terms may still be open. */
  isFirstOfDay: boolean
  /** In mode `bank`. */
  due: DueCode | null
}

/** The code that an invoice has for its whole life, as the bank should have it. */
export interface DueCode {
  revision: number
  terms: DueTerms
  debtor: PspDebtor
}

/** Longer than any invoice may be paid: the code ends with its invoice, whose days an edit may change. */
const LONGEST_CODE_SECONDS = 7 * 366 * 86_400

/**
 * Today's amount of the invoice of this page; from then on its page asks for that. Null when nothing can be paid any more.
 * Call it through `charges/create`, which ends the codes of other days.
 */
export async function priceInvoice(tx: Tx, pageId: string, times: Times): Promise<PricedInvoice | null> {
  await lockPagesOfCharges(tx, [pageId])
  const invoice = await findInvoiceOfPage(tx, pageId)
  const today = saoPauloDay(times.due)
  if (invoice === null || invoiceStatusOn(invoice, today) !== "open") return null
  if (isDebitUnderWay(invoice, times.due)) throw new DomainError("debit_under_way")
  if (invoice.mode === "bank") return dueCodeOf(tx, invoice, times)
  const amount = dueAmountOn(invoice.terms, today)
  const isFirstOfDay = await insertDayOnce(tx, invoice, { ...amount, day: today })
  if (isFirstOfDay) await saveInvoicePage(tx, pageOf(invoice, today), times.now)
  return {
    amountCents: amount.amount,
    fee: invoice.fee,
    key: `${today} ${invoice.revision}`,
    expiresAt: endOfCode(times, invoice.debitFrom),
    payer: invoice.customer,
    isFirstOfDay,
    due: null,
  }
}

async function dueCodeOf(tx: Tx, invoice: Invoice, { now }: Times): Promise<PricedInvoice> {
  const { revision, terms, fee, customer } = invoice
  return {
    amountCents: terms.amountCents,
    fee,
    key: "bank",
    expiresAt: secondsAfter(now, LONGEST_CODE_SECONDS),
    payer: customer,
    isFirstOfDay: false,
    due: { revision, terms, debtor: await debtorOf(tx, invoice) },
  }
}

export async function debtorOf(db: Db, { sellerId, customer }: Invoice): Promise<PspDebtor> {
  const { address } = await readCustomer(db, { sellerId, id: customer.id })
  return { name: customer.name, document: customer.document ?? "", address }
}

/** The bank asks these terms under this code. */
export async function keepCode(tx: Tx, code: KeptCode): Promise<void> {
  await lockPagesOfCharges(tx, [code.pageId])
  await keepCodeRow(tx, code)
}

/** The codes of these pages have ended. */
export async function forgetCodesOf(tx: Tx, pageIds: readonly string[]): Promise<void> {
  if (pageIds.length > 0) await forgetCodes(tx, pageIds)
}

/** From this moment on its money comes by a debit; null lets its page make codes again. Call it under the page's lock. */
export async function holdForDebit(tx: Tx, id: string, from: Date | null): Promise<void> {
  await setDebitFrom(tx, id, from)
}

/** The bank refused a code for its whole life: the customer pays through the link. Call it under the page's lock. */
export async function becomeDaily(tx: Tx, pageId: string, refusal: string, now: Date): Promise<void> {
  await markDaily(tx, pageId, refusal, now)
}

/** One code for what is left of its life takes the place of the codes of each day. Call it under the page's lock. */
export async function becomeBank(tx: Tx, invoice: Invoice, { now, due }: Times): Promise<void> {
  await markBank(tx, invoice.id, now)
  await saveInvoicePage(tx, pageOf({ ...invoice, mode: "bank" }, saoPauloDay(due)), now)
}

/** Long enough for all that is asked of the bank. */
const LEASE_SECONDS = 45

/** Invoices whose terms the bank must be told; all, or this one. They are this process's for a while. */
export async function claimUnsentTerms(
  tx: Tx,
  { now, atMost, id = null }: { now: Date; atMost: number; id?: string | null },
): Promise<ClaimedInvoice[]> {
  return claimUnsent(tx, { id, now, until: secondsAfter(now, LEASE_SECONDS), atMost })
}

import type { Readable } from "node:stream"
import type { DueTerms } from "@tilinta/contract/vocabulary/due-amount"
import type { FeeRule } from "@tilinta/contract/vocabulary/fee"
import {
  invoiceStatusOn,
  problemOfAmounts,
  problemsOfTerms,
  type SentTerms,
  sentTermsOf,
} from "@tilinta/contract/vocabulary/invoices"
import { percentageFromBasisPoints } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { type Clock, type Day, dueToday, saoPauloDay, type Times, timesOf } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { refuseMisleading } from "#people/users/misleading-names"
import { getUser } from "#people/users/reads"
import { type ExportDeps, type ExportTo, startExport } from "#platform/audit/export"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import type { Psp } from "#psp/psp"
import { insertPage } from "#selling/charge-pages/create"
import { readTermsOf } from "#selling/charge-pages/reads"
import type { Order } from "#selling/charge-pages/rules"
import { draftInvoicePage } from "#selling/charge-pages/single-page"
import { createCustomer, lockUsedCustomer } from "#selling/customers/manage"
import type { CustomerFields } from "#selling/customers/rules"
import { type InvoicesFilter, invoicesTable } from "./list-reads.ts"
import { findInvoice } from "./reads.ts"
import { codeAmountOn, type Invoice, withTerms } from "./rules.ts"
import { insertInvoice } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

/** One code for an invoice's whole life is the provider's. */
export type CodeDeps = Deps & { psp: Pick<Psp, "dueCharges"> }

export interface InvoiceDraft {
  customer: { id: string } | CustomerFields
  terms: DueTerms
  description: string
  order: Order
  mode: Invoice["mode"]
}

export interface CreateCall {
  /** The seller, or the API key that acts for them. */
  seller: Actor
  /** The same key with the same input returns what was created first. */
  idempotencyKey: string | null
}

export interface InvoiceInput extends InvoiceDraft, CreateCall {}

/**
 * An invoice, its page, and its customer where they are new. No provider is asked: each day's code is made when the payer
 * asks for it, and that of mode `bank` by `money/payments/due-codes`.
 * @throws customer_not_found, due_charges_unsupported, email_not_confirmed, external_reference_taken, idempotency_key_reused, validation_failed
 */
export async function createInvoice(
  deps: CodeDeps,
  { seller, idempotencyKey, ...draft }: InvoiceInput,
): Promise<Invoice> {
  const times = timesOf(deps.clock)
  requireOffered(deps, draft)
  await requireAllowed(deps, seller, [draft])
  return deps.db.transaction().execute((tx) => store(tx, { seller, idempotencyKey }, draft, times))
}

/** @throws due_charges_unsupported */
export function requireOffered({ psp }: CodeDeps, { mode }: Pick<InvoiceDraft, "mode">): void {
  if (mode === "bank" && psp.dueCharges === null) throw new DomainError("due_charges_unsupported")
}

/** @throws email_not_confirmed, validation_failed */
export async function requireAllowed(
  deps: Deps,
  { id: userId }: Actor,
  drafts: readonly InvoiceDraft[],
): Promise<void> {
  for (const { terms } of drafts) {
    requireSoundTerms(sentTermsOf(terms), terms, { today: dueToday(deps.clock) })
  }
  await refuseMisleading(deps, { userId, texts: { description: drafts[0]?.description } })
  await requireConfirmed(deps, userId)
}

interface Since {
  today: Day
  /** The day from which a discount may be; today where it is absent. */
  discountsSince?: Day
}

/** @throws validation_failed */
export function requireSoundTerms(sent: SentTerms, terms: DueTerms, { today, discountsSince }: Since): void {
  const problems = problemsOfTerms(sent, today, discountsSince)
  const ofAmounts = problems.length === 0 ? problemOfAmounts(terms, today) : null
  const errors = ofAmounts === null ? problems : [ofAmounts]
  const [first] = errors
  if (first !== undefined) throw new DomainError("validation_failed", { message: first.message, errors })
}

/** The page of an invoice is public at once. */
async function requireConfirmed({ db, protection }: Deps, sellerId: string): Promise<void> {
  if (protection === "relaxed") return
  const { emailState } = await getUser(db, sellerId)
  if (emailState === "unconfirmed") throw new DomainError("email_not_confirmed")
}

async function store(
  tx: Tx,
  { seller, idempotencyKey }: CreateCall,
  draft: InvoiceDraft,
  times: Times,
): Promise<Invoice> {
  const claim = { ownerId: seller.id, key: idempotencyKey, request: { invoice: draft }, resourceId: newId() }
  const id = await claimIdempotencyKey(tx, claim)
  if (id === claim.resourceId) {
    const customerId = await enter(tx, seller, draft, times.now)
    const { fee } = await readTermsOf(tx, seller.id)
    await insertNew(tx, { ...draft, id, seller, fee, seriesId: null, subscriptionId: null, customerId }, times)
  }
  return getOwnInvoice(tx, { id, sellerId: seller.id })
}

/** The id of the customer, who may be new. */
export async function enter(
  tx: Tx,
  seller: Actor,
  { customer }: Pick<InvoiceDraft, "customer">,
  now: Date,
): Promise<string> {
  return "id" in customer ? customer.id : (await createCustomer(tx, { seller, fields: customer }, now)).id
}

interface NewInvoice extends Omit<InvoiceDraft, "customer"> {
  id: string
  seller: Actor
  customerId: string
  /** Today's, frozen from here on. */
  fee: FeeRule
  seriesId: string | null
  /** The subscription whose cycle it is: then nobody acts in the audit trail. */
  subscriptionId: string | null
}

export async function insertNew(
  tx: Tx,
  { id, seller, customerId, fee, seriesId, subscriptionId, terms, description, order, mode }: NewInvoice,
  { now, due }: Times,
): Promise<void> {
  const sellerId = seller.id
  const { name, document, email, phone } = await lockUsedCustomer(tx, { sellerId, id: customerId }, now)
  // The bank's code names whom it is for.
  if (mode === "bank" && !document) throw brokenRule("customer.document", "CPF ou CNPJ é obrigatório")
  const amountCents = codeAmountOn({ mode, terms }, saoPauloDay(due))
  const page = await insertPage(tx, draftInvoicePage({ sellerId, description, amountCents, order }, now))
  const draft: Invoice = {
    id,
    sellerId,
    pageId: page.id,
    seriesId,
    subscriptionId,
    uniqueLink: page.uniqueLink,
    order,
    customer: { id: customerId, name, document, email, phone },
    mode,
    terms,
    fee,
    description,
    adjustedDueDay: terms.dueDay,
    lastDay: terms.dueDay,
    status: "open",
    revision: 1,
    settledFor: null,
    chargeId: null,
    paidAt: null,
    paid: null,
    pixCode: null,
    bankRefusal: null,
    debitFrom: null,
    refundedAt: null,
    openedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  const invoice = withTerms(draft, terms)
  await insertInvoice(tx, invoice)
  await appendEvents(tx, "invoice.created", [id], due)
  const actor = subscriptionId === null ? seller : null
  await recordInvoice(tx, { actor, action: "created", before: null, after: invoice, today: saoPauloDay(due) })
}

/** 404 when unknown or another seller's. */
export async function getOwnInvoice(db: Db, own: { id: string; sellerId: string }): Promise<Invoice> {
  const invoice = await findInvoice(db, own)
  if (invoice === null) throw new DomainError("invoice_not_found")
  return invoice
}

/** The rows that the list finds by the same filter. */
export function exportInvoices(
  deps: ExportDeps,
  filter: InvoicesFilter,
  { format, actor }: ExportTo,
): Promise<Readable> {
  const table = invoicesTable(filter)
  return startExport(deps, { action: "invoices.exported", audience: "seller", actor, filter, format, table })
}

interface Recorded {
  actor: Actor | null
  action: "created" | "changed" | "cancelled" | "settled_outside"
  before: Invoice | null
  after: Invoice
  today: Day
}

/** Its description may name people, and a record can't be erased: the amounts and the days stand for it. */
export async function recordInvoice(tx: Tx, { actor, action, before, after, today }: Recorded): Promise<void> {
  await recordAudit(tx, {
    actor,
    happenedAt: after.updatedAt,
    action: `invoice.${action}`,
    entity: "invoice",
    entityId: after.id,
    before: before && factsOf(before, today),
    after: { sellerId: after.sellerId, ...factsOf(after, today) },
  })
}

function factsOf(invoice: Invoice, today: Day) {
  const { status, revision, terms, fee, lastDay } = invoice
  const { amountCents, dueDay } = terms
  return {
    status: invoiceStatusOn({ status, lastDay }, today),
    revision,
    amountCents,
    dueDay,
    lastDay,
    feePercentage: percentageFromBasisPoints(fee.basisPoints),
  }
}

import { type DueTerms, dueAmountOn } from "@tilinta/contract/vocabulary/due-amount"
import {
  invoiceStatusOn,
  problemOfAmounts,
  problemsOfTerms,
  type SentTerms,
  sentTermsOf,
} from "@tilinta/contract/vocabulary/invoices"
import type { Db, Tx } from "#db/transaction"
import { type Clock, type Day, saoPauloDay } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { refuseMisleading } from "#people/users/misleading-names"
import { getUser } from "#people/users/reads"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { insertPage } from "#selling/charge-pages/create"
import type { Order } from "#selling/charge-pages/rules"
import { draftInvoicePage } from "#selling/charge-pages/single-page"
import { createCustomer, lockUsedCustomer } from "#selling/customers/manage"
import type { CustomerFields } from "#selling/customers/rules"
import { findInvoice } from "./reads.ts"
import { type Invoice, withTerms } from "./rules.ts"
import { insertInvoice } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

export interface InvoiceInput {
  /** The seller, or the API key that acts for them. */
  seller: Actor
  customer: { id: string } | CustomerFields
  terms: DueTerms
  description: string
  order: Order
  mode: Invoice["mode"]
  /** The same key with the same input returns the invoice created first. */
  idempotencyKey: string | null
}

/**
 * An invoice, its page, and its customer where they are new. No provider is asked: each day's code is made when the payer
 * asks for it.
 * @throws customer_not_found, due_charges_unsupported, email_not_confirmed, external_reference_taken, idempotency_key_reused, validation_failed
 */
export async function createInvoice(deps: Deps, input: InvoiceInput): Promise<Invoice> {
  const now = deps.clock.now()
  if (input.mode === "bank") throw new DomainError("due_charges_unsupported")
  requireSoundTerms(sentTermsOf(input.terms), input.terms, { today: saoPauloDay(now) })
  await refuseMisleading(deps, { userId: input.seller.id, texts: { description: input.description } })
  await requireConfirmed(deps, input.seller.id)
  return deps.db.transaction().execute((tx) => store(tx, input, now))
}

interface Since {
  today: Day
  /** The day from which a discount may be; today where it is absent. */
  discountsSince?: Day
}

/** @throws validation_failed */
export function requireSoundTerms(sent: SentTerms, terms: DueTerms, { today, discountsSince }: Since): void {
  const problems = problemsOfTerms(sent, today, discountsSince)
  const asked = problems.length === 0 ? problemOfAmounts(terms, today) : null
  const errors = asked === null ? problems : [asked]
  const [first] = errors
  if (first !== undefined) throw new DomainError("validation_failed", { message: first.message, errors })
}

/** The page of an invoice is public at once. */
async function requireConfirmed({ db, protection }: Deps, sellerId: string): Promise<void> {
  if (protection === "relaxed") return
  const { emailState } = await getUser(db, sellerId)
  if (emailState === "unconfirmed") throw new DomainError("email_not_confirmed")
}

async function store(tx: Tx, { idempotencyKey, ...input }: InvoiceInput, now: Date): Promise<Invoice> {
  const { seller, customer, terms, description, order, mode } = input
  const claim = {
    ownerId: seller.id,
    key: idempotencyKey,
    request: { invoice: { customer, terms, description, order, mode } },
    resourceId: newId(),
  }
  const id = await claimIdempotencyKey(tx, claim)
  if (id === claim.resourceId) await insertNew(tx, { ...input, id }, now)
  return getOwnInvoice(tx, { id, sellerId: seller.id })
}

async function insertNew(
  tx: Tx,
  { id, seller, customer, terms, description, order, mode }: Omit<InvoiceInput, "idempotencyKey"> & { id: string },
  now: Date,
): Promise<void> {
  const sellerId = seller.id
  const { id: customerId } = "id" in customer ? customer : await createCustomer(tx, { seller, fields: customer }, now)
  const { name, document, email, phone } = await lockUsedCustomer(tx, { sellerId, id: customerId }, now)
  const amountCents = dueAmountOn(terms, saoPauloDay(now)).amount
  const page = await insertPage(tx, draftInvoicePage({ sellerId, description, amountCents, order }, now))
  const draft: Invoice = {
    id,
    sellerId,
    pageId: page.id,
    uniqueLink: page.uniqueLink,
    order,
    customer: { id: customerId, name, document, email, phone },
    mode,
    terms,
    description,
    adjustedDueDay: terms.dueDay,
    lastDay: terms.dueDay,
    status: "open",
    revision: 1,
    settledFor: null,
    chargeId: null,
    paidAt: null,
    paid: null,
    refundedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  const invoice = withTerms(draft, terms)
  await insertInvoice(tx, invoice)
  await appendEvents(tx, "invoice.created", [id], now)
  await recordInvoice(tx, { actor: seller, action: "created", before: null, after: invoice })
}

/** 404 when unknown or another seller's. */
export async function getOwnInvoice(db: Db, own: { id: string; sellerId: string }): Promise<Invoice> {
  const invoice = await findInvoice(db, own)
  if (invoice === null) throw new DomainError("invoice_not_found")
  return invoice
}

interface Recorded {
  actor: Actor
  action: "created" | "changed" | "cancelled" | "settled_outside"
  before: Invoice | null
  after: Invoice
}

/** Its description may name people, and a record can't be erased: the amounts and the days stand for it. */
export async function recordInvoice(tx: Tx, { actor, action, before, after }: Recorded): Promise<void> {
  await recordAudit(tx, {
    actor,
    happenedAt: after.updatedAt,
    action: `invoice.${action}`,
    entity: "invoice",
    entityId: after.id,
    before: before && factsOf(before),
    after: { sellerId: after.sellerId, ...factsOf(after) },
  })
}

function factsOf(invoice: Invoice) {
  const { status, revision, terms, lastDay } = invoice
  const { amountCents, dueDay } = terms
  return {
    status: invoiceStatusOn({ status, lastDay }, saoPauloDay(invoice.updatedAt)),
    revision,
    amountCents,
    dueDay,
    lastDay,
  }
}

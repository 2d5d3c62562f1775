import { isEditablePage, isPayablePage, type PageReportReason } from "@tilinta/contract/vocabulary/charge-pages"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError, invariant } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import { type Psp, provenTime } from "#psp/psp"
import { normaliseSlug, recordDelegate, saveOrder, takeFreeSlug } from "./create.ts"
import { findChargePage, getTitle } from "./reads.ts"
import {
  type ChargePage,
  expiryFrom,
  type OrderChanges,
  type PayerDataInput,
  type PriceChanges,
  payerDataRules,
  priceOf,
  statusAt,
  withOrderChanges,
} from "./rules.ts"
import { titleOfInvoice } from "./single-page.ts"
import {
  lockChargePage,
  lockChargePages,
  markChargePageDeleted,
  markExpiredChargePages,
  markPagesExpired,
  markReferenceReleased,
  startCountingAtOnce,
  updateChargePageRow,
  updateSuspension,
} from "./table.ts"

/** Missing fields stay as they are. */
export interface ChargePageChanges extends PriceChanges {
  title?: string | undefined
  slug?: string | undefined
  description?: string | undefined
  payerData?: PayerDataInput | undefined
  expiresInHours?: number | undefined
  maxPayments?: number | null | undefined
  order?: OrderChanges | undefined
}

export interface PageChange {
  id: string
  sellerId: string
  changes: ChargePageChanges
  /** The API key or member of the team that acts; absent for the seller. */
  delegate?: Actor | null | undefined
  now: Date
}

/** Before the page gets a limit, in a transaction of its own: bookings under way took it for a page without one. */
export async function countPageAtOnce(tx: Tx, page: { id: string; sellerId: string }): Promise<void> {
  await startCountingAtOnce(tx, page)
}

/**
 * Call it through `closings/update-charge-page`, which ends the Pix codes that the change outdates.
 * @throws charge_page_not_found, charge_page_forbidden, charge_page_not_editable, external_reference_taken, validation_failed
 */
export async function changeChargePage(
  tx: Tx,
  { id, sellerId, changes, delegate, now }: PageChange,
): Promise<{ before: ChargePage; after: ChargePage }> {
  const before = ownPageToChange(await lockChargePage(tx, id), sellerId)
  if (before.suspension !== null) throw refusedWhileSuspended()
  if (!isEditablePage(before.status)) throw new DomainError("charge_page_not_editable")
  const changed = withChanges(before, changes, now)
  const after: ChargePage = { ...changed, slug: await slugAfter(tx, before, changes.slug) }
  await updateChargePageRow(tx, after)
  await saveOrder(tx, { pageId: id, sellerId, order: after.order }, before.order)
  await recordDelegate(tx, delegate, { action: "changed", before, after }, now)
  await appendEvents(tx, "page.updated", [id], now)
  // The edit came before the job that marks the pages whose time is over.
  if (after.status === "expired" && before.status !== "expired") await appendEvents(tx, "page.expired", [id], now)
  return { before, after }
}

function refusedWhileSuspended(): DomainError {
  return new DomainError("charge_page_not_editable", {
    message: "Esta página está suspensa e não pode ser alterada. Fale com o suporte.",
  })
}

function withChanges(page: ChargePage, changes: ChargePageChanges, now: Date): ChargePage {
  const hours = changes.expiresInHours ?? page.expiresInHours
  // On a page whose time is over, the same hours again are a new deadline.
  const isRenewed = changes.expiresInHours !== undefined && statusAt(page, now) === "expired"
  const expiresAt = hours === page.expiresInHours && !isRenewed ? page.expiresAt : expiryFrom(now, hours)
  const maxPayments = changes.maxPayments === undefined ? page.maxPayments : changes.maxPayments
  if (maxPayments !== null && maxPayments <= page.paymentsCount) {
    throw brokenRule("maxPayments", `Esta página já recebeu ${page.paymentsCount} pagamentos.`)
  }
  const changed: ChargePage = {
    ...page,
    title: changes.title ?? page.title,
    description: changes.description ?? page.description,
    ...priceOf(changes, page),
    ...(changes.payerData === undefined ? {} : payerDataRules({ ...page, ...known(changes.payerData) })),
    expiresInHours: hours,
    expiresAt,
    maxPayments,
    order: withOrderChanges(page.order, changes.order ?? {}),
    updatedAt: now,
  }
  return { ...changed, status: statusAt({ status: "active", expiresAt }, now) }
}

/** Drops missing flags, so that the page's own stay. */
function known(payerData: PayerDataInput): PayerDataInput {
  const { requireCustomerData, allowAnonymous, ...flags } = payerData
  const anonymous = allowAnonymous ?? (requireCustomerData === undefined ? undefined : !requireCustomerData)
  return Object.fromEntries(
    Object.entries({ ...flags, allowAnonymous: anonymous }).filter(([, flag]) => flag !== undefined),
  )
}

async function slugAfter(tx: Tx, page: ChargePage, requested: string | undefined): Promise<string> {
  if (requested === undefined) return page.slug
  const slug = normaliseSlug(requested)
  if (slug === "") throw brokenRule("slug", "O slug é obrigatório")
  return slug === page.slug ? slug : takeFreeSlug(tx, slug, page.id)
}

export interface OwnPage {
  id: string
  sellerId: string
  /** The API key or member of the team that acts; absent for the seller. */
  delegate?: Actor | null
}

/**
 * Call these through `closings/cancel-charge-page`, which ends the page's Pix codes too.
 * @throws charge_page_not_found, charge_page_forbidden, charge_page_not_active
 */
export async function markPageCancelled(tx: Tx, { id, sellerId, delegate }: OwnPage, now: Date): Promise<ChargePage> {
  const page = ownPageToChange(await lockChargePage(tx, id), sellerId)
  if (!isPayablePage(statusAt(page, now))) throw new DomainError("charge_page_not_active")
  const cancelled: ChargePage = { ...page, status: "cancelled", updatedAt: now }
  await updateChargePageRow(tx, cancelled)
  await recordDelegate(tx, delegate, { action: "cancelled", before: page, after: cancelled }, now)
  await appendEvents(tx, "page.updated", [id], now)
  return cancelled
}

export async function markPageDeleted(tx: Tx, { id, sellerId, delegate }: OwnPage, now: Date): Promise<void> {
  const page = ownPageToChange(await lockChargePage(tx, id), sellerId)
  // While it is still shown: the event tells how it was.
  await appendEvents(tx, "page.deleted", [id], now)
  await markChargePageDeleted(tx, id, now)
  await recordDelegate(tx, delegate, { action: "deleted", before: page, after: null }, now)
  if (page.paymentsCount === 0) await markReferenceReleased(tx, id)
}

const BATCH = 500

interface Deps {
  db: Db
  psp: Pick<Psp, "bankTime">
  clock: Clock
}

/** Marks pages whose time is over. Their codes expire no later than they do. */
export async function expireChargePages({ db, ...deps }: Deps): Promise<void> {
  const now = provenTime(deps)
  for (;;) {
    const marked = await db.transaction().execute((tx) => markExpired(tx, now))
    if (marked < BATCH) return
  }
}

async function markExpired(tx: Tx, now: Date): Promise<number> {
  const marked = await markExpiredChargePages(tx, now, BATCH)
  await appendEvents(tx, "page.expired", marked, now)
  return marked.length
}

/** Keeps any page as it is until the end of the transaction, also a deleted one, and returns its title. */
export async function lockAnyPage(tx: Tx, id: string): Promise<string> {
  await lockChargePages(tx, [id])
  return getTitle(tx, id)
}

/**
 * Keeps payers away, also from a page that its seller has deleted, which has no event then. Call it under the page's lock
 * through `page-reports/decide-page-report`, which ends the page's Pix codes too.
 */
export async function markPageSuspended(tx: Tx, id: string, reason: PageReportReason, now: Date): Promise<void> {
  await updateSuspension(tx, id, { since: now, reason }, now)
  await appendEvents(tx, "page.updated", [id], now)
}

/** The page takes payments again, if it is active. Call it under the page's lock. */
export async function markPageUnsuspended(tx: Tx, id: string, now: Date): Promise<void> {
  await updateSuspension(tx, id, null, now)
  await appendEvents(tx, "page.updated", [id], now)
}

/** Call it before the pages' charges are changed; locks in the order of ids, like every writer. */
export async function lockPagesOfCharges(tx: Tx, ids: string[]): Promise<void> {
  await lockChargePages(tx, ids)
}

/** The owner's view. 404 when unknown or deleted, 403 when it is someone else's. */
export async function getOwnChargePage(
  { db, clock }: { db: Db; clock: Clock },
  { id, sellerId }: { id: string; sellerId: string },
): Promise<ChargePage> {
  const page = isId(id) ? await findChargePage(db, id) : null
  return { ...chargePageOwnedBy(page, sellerId), status: statusAt(chargePageOwnedBy(page, sellerId), clock.now()) }
}

const isInvoices = "Esta página é de uma cobrança com vencimento. Altere a cobrança em A receber."

function ownPageToChange(page: ChargePage | null, sellerId: string): ChargePage {
  const own = chargePageOwnedBy(page, sellerId)
  if (own.isInvoice) throw new DomainError("charge_page_not_editable", { message: isInvoices })
  return own
}

function chargePageOwnedBy(page: ChargePage | null, sellerId: string): ChargePage {
  if (page === null) throw new DomainError("charge_page_not_found")
  if (page.sellerId !== sellerId) throw new DomainError("charge_page_forbidden")
  return page
}

/** Call it under the pages' locks. */
export async function markInvoicePagesExpired(tx: Tx, ids: string[], now: Date): Promise<void> {
  await markPagesExpired(tx, ids, now)
}

/** The state that an invoice gives its page. */
export interface PageOfInvoice extends Pick<ChargePage, "id" | "status" | "amountCents" | "description"> {
  order: OrderChanges
}

/** Call it under the page's lock. @throws charge_page_not_editable */
export async function requireChangeablePage(tx: Tx, id: string): Promise<void> {
  const page = await findChargePage(tx, id)
  if (page !== null && page.suspension !== null) throw refusedWhileSuspended()
}

/** Call it under the page's lock. No event tells of it: the invoice has its own. */
export async function saveInvoicePage(tx: Tx, { id, order, ...changes }: PageOfInvoice, now: Date): Promise<void> {
  const before = await findChargePage(tx, id)
  invariant(before?.isInvoice === true, `page ${id} is no invoice's`)
  const after: ChargePage = {
    ...before,
    ...changes,
    title: titleOfInvoice({ ...before, ...changes }),
    order: withOrderChanges(before.order, order),
    updatedAt: now,
  }
  await updateChargePageRow(tx, after)
  await saveOrder(tx, { pageId: id, sellerId: before.sellerId, order: after.order }, before.order)
}

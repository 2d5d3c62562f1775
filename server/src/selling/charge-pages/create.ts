import { isDeepStrictEqual } from "node:util"
import { reservedSlugs, slugFromTitle } from "@tilinta/contract/vocabulary/charge-pages"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { forEachFlag } from "@tilinta/contract/vocabulary/payer-data"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import { isId, newId, newUniqueLink } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { refuseMisleading } from "#people/users/misleading-names"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { requireAllowedReturn } from "#selling/return-origins/return-link"
import { type Creation, findFreeSlugNumber, findHolder, findOrders, getCreation } from "./reads.ts"
import { type ChargePage, expiryFrom, noOrder, type Order, type PayerDataInput, payerDataRules } from "./rules.ts"
import {
  insertChargePage,
  lockReference,
  type OrderOfPage,
  takeSlug,
  updateChargePageRow,
  upsertOrder,
} from "./table.ts"

export interface ChargePageInput {
  sellerId: string
  title: string
  slug: string
  description: string
  amountCents: Cents
  /** Absent where the amount is fixed. */
  choice?: ChargePage["choice"]
  payerData: PayerDataInput
  expiresInHours: number
  maxPayments: number | null
  /** Absent for a page of no order of the seller's system. */
  order?: Order
  /** The same key with the same input returns the page created first. */
  idempotencyKey: string | null
  /** The API key or member of the team that acts; absent for the seller. */
  delegate?: Actor | null
}

/** A taken slug is never an error: the returned page says which one it got. */
export async function createChargePage(
  deps: { db: Db; clock: Clock; protection: Protection },
  input: ChargePageInput,
): Promise<ChargePage> {
  const slug = normaliseSlug(input.slug)
  if (slug === "") throw brokenRule("slug", "O slug é obrigatório")
  const { sellerId, title, description } = input
  await refuseMisleading(deps, { userId: sellerId, texts: { title, description, slug } })
  const now = deps.clock.now()
  const page: ChargePage = {
    id: newId(),
    sellerId: input.sellerId,
    title: input.title,
    description: input.description,
    amountCents: input.amountCents,
    choice: input.choice ?? null,
    uniqueLink: newUniqueLink(),
    slug,
    status: "active",
    ...payerDataRules(input.payerData),
    expiresInHours: input.expiresInHours,
    expiresAt: expiryFrom(now, input.expiresInHours),
    maxPayments: input.maxPayments,
    isSingle: false,
    isInvoice: false,
    isUnlisted: false,
    order: input.order ?? noOrder,
    paymentsCount: 0,
    suspension: null,
    createdAt: now,
    updatedAt: now,
  }
  return deps.db.transaction().execute((tx) => storeChargePage(tx, page, input))
}

async function storeChargePage(
  tx: Tx,
  page: ChargePage,
  { delegate, ...request }: ChargePageInput,
): Promise<ChargePage> {
  const firstId = await claimIdempotencyKey(tx, {
    ownerId: page.sellerId,
    key: request.idempotencyKey,
    request,
    resourceId: page.id,
  })
  if (firstId !== page.id) return asFirstCreated(page, await getCreation(tx, firstId))
  const stored = await insertPage(tx, page)
  await recordDelegate(tx, delegate, { action: "created", before: null, after: stored }, page.createdAt)
  return stored
}

/** The slug says which one the page got. @throws external_reference_taken, validation_failed */
export async function insertPage(tx: Tx, page: ChargePage): Promise<ChargePage> {
  await insertChargePage(tx, page)
  await saveOrder(tx, { pageId: page.id, sellerId: page.sellerId, order: page.order })
  const slug = await takeFreeSlug(tx, page.slug, page.id)
  const stored = { ...page, slug }
  if (slug !== page.slug) await updateChargePageRow(tx, stored)
  await appendEvents(tx, "page.created", [page.id], page.createdAt)
  return stored
}

/** The first answer again, whatever became of the page: the same request made it, and only these came from elsewhere. */
function asFirstCreated(page: ChargePage, { id, uniqueLink, slug, createdAt }: Creation): ChargePage {
  const expiresAt = expiryFrom(createdAt, page.expiresInHours)
  return { ...page, id, uniqueLink, slug, createdAt, updatedAt: createdAt, expiresAt }
}

/**
 * The caller holds the page's lock, or has just created it. A return URL that is already stored isn't checked again: it
 * leads nowhere once its origin is gone.
 * @throws external_reference_taken, validation_failed
 */
export async function saveOrder(tx: Tx, { pageId, sellerId, order }: OrderOfPage, before = noOrder): Promise<void> {
  const { externalReference, returnUrl } = order
  if (returnUrl !== null && returnUrl !== before.returnUrl) await requireAllowedReturn(tx, sellerId, returnUrl)
  if (externalReference !== null && externalReference !== before.externalReference) {
    await lockReference(tx, sellerId, externalReference)
    if ((await findHolder(tx, sellerId, externalReference)) !== null) throw referenceTaken()
  }
  if (!isDeepStrictEqual(order, before)) await upsertOrder(tx, { pageId, sellerId, order })
}

function referenceTaken(): DomainError {
  const message = "Você já tem uma cobrança com esta referência."
  return new DomainError("external_reference_taken", { message, errors: [{ path: "externalReference", message }] })
}

export async function findOrderOfPage(db: Db, pageId: string): Promise<Order | null> {
  return (await findOrders(db, [pageId])).get(pageId) ?? null
}

/** Claims the requested slug or the next free one. Another page may claim it in between, so the insert decides. */
export async function takeFreeSlug(tx: Tx, requested: string, pageId: string): Promise<string> {
  for (;;) {
    const slug = await findFreeSlug(tx, requested, pageId)
    if (await takeSlug(tx, slug, pageId)) return slug
  }
}

/** The slug that a page would get if it were saved now. */
export async function suggestSlug(db: Db, requested: string): Promise<{ available: boolean; suggestion: string }> {
  const slug = normaliseSlug(requested)
  if (slug === "") throw brokenRule("slug", "O slug é obrigatório")
  const suggestion = await findFreeSlug(db, slug, null)
  return { available: suggestion === slug, suggestion }
}

type Action = "created" | "charged" | "changed" | "cancelled" | "deleted"

interface Work {
  action: Action
  before: ChargePage | null
  after: ChargePage | null
}

/**
 * Records what an API key or another person of the team does with a page, so that its seller can tell it from their own
 * work. A page's texts may name people, and a record can't be erased: it says which of them changed.
 */
export async function recordDelegate(
  tx: Tx,
  delegate: Actor | null | undefined,
  { action, before, after }: Work,
  now: Date,
): Promise<void> {
  const page = after ?? before
  if (delegate === null || delegate === undefined || page === null) return
  const changed = before === null || after === null ? [] : changedTexts(before, after)
  const fields = changed.length === 0 ? {} : { fields: changed.join(", ") }
  await recordAudit(tx, {
    actor: delegate,
    happenedAt: now,
    action: `charge_page.${action}`,
    entity: "charge_page",
    entityId: page.id,
    before: factsOf(before),
    after: { sellerId: page.sellerId, ...factsOf(after), ...fields },
  })
}

function factsOf(page: ChargePage | null) {
  if (page === null) return null
  const { status, amountCents, maxPayments, expiresAt } = page
  return { status, amountCents, maxPayments, expiresAt: expiresAt?.toISOString() ?? null }
}

/** By the names that the API gives them. */
function changedTexts(before: ChargePage, after: ChargePage): string[] {
  const [was, is] = [textsOf(before), textsOf(after)]
  return Object.keys(is).filter((name) => !isDeepStrictEqual(was[name], is[name]))
}

function textsOf({ title, slug, description, order, ...page }: ChargePage): Record<string, unknown> {
  const customerInfo = { allowAnonymous: page.allowAnonymous, ...forEachFlag((flag) => page[flag]) }
  return { title, slug, description, customerInfo, ...order }
}

const MAX_SLUG_LENGTH = 100

/** The slug in its stored form; empty when nothing of it is left. */
export function normaliseSlug(requested: string): string {
  const slug = slugFromTitle(requested.trim()).slice(0, MAX_SLUG_LENGTH)
  return /[a-z0-9]/.test(slug) ? slug : ""
}

function mayBeUsed(slug: string): boolean {
  return !reservedSlugs.has(slug) && !isId(slug)
}

/** The requested slug or, when that is taken or reserved, a free one with -2, -3, … */
export async function findFreeSlug(db: Db, requested: string, ownPageId: string | null): Promise<string> {
  const from = mayBeUsed(requested) ? 1 : 2
  return withSuffix(requested, await findFreeSlugNumber(db, { requested, from, maxLength: MAX_SLUG_LENGTH, ownPageId }))
}

function withSuffix(slug: string, number: number): string {
  if (number === 1) return slug
  const suffix = `-${number}`
  return slug.slice(0, MAX_SLUG_LENGTH - suffix.length) + suffix
}

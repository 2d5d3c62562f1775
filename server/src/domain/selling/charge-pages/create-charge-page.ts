import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { refuseMisleading } from "#domain/people/users/refuse-misleading"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import type { Clock } from "#kit/clock"
import { brokenRule } from "#kit/domain-error"
import { newId, newUniqueLink } from "#kit/ids"
import type { Protection } from "#kit/protection"
import { type ChargePage, expiryFrom, type PayerDataWishes, payerDataRules } from "./charge-page.ts"
import { type Creation, getCreation, insertChargePage, updateChargePageRow } from "./charge-pages-repository.ts"
import { normaliseSlug } from "./free-slug.ts"
import { noOrder, type Order } from "./order.ts"
import { recordProgram } from "./record-program.ts"
import { saveOrder } from "./save-order.ts"
import { takeFreeSlug } from "./save-slug.ts"

export interface ChargePageInput {
  sellerId: string
  title: string
  slug: string
  description: string
  amountCents: Cents
  payerData: PayerDataWishes
  expiresInHours: number
  maxPayments: number | null
  /** Absent for a page of no order of the seller's system. */
  order?: Order
  /** The same key with the same input returns the page created first. */
  idempotencyKey: string | null
  /** The API key that acts; absent for a person. */
  program?: Actor | null
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
    uniqueLink: newUniqueLink(),
    slug,
    status: "active",
    ...payerDataRules(input.payerData),
    expiresInHours: input.expiresInHours,
    expiresAt: expiryFrom(now, input.expiresInHours),
    maxPayments: input.maxPayments,
    isSingle: false,
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
  { program, ...request }: ChargePageInput,
): Promise<ChargePage> {
  const firstId = await claimIdempotencyKey(tx, {
    ownerId: page.sellerId,
    key: request.idempotencyKey,
    request,
    resourceId: page.id,
  })
  if (firstId !== page.id) return asFirstCreated(page, await getCreation(tx, firstId))
  const stored = await insertPage(tx, page)
  await recordProgram(tx, program, { action: "created", before: null, after: stored }, page.createdAt)
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

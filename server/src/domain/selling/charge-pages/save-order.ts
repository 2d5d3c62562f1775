import { isDeepStrictEqual } from "node:util"
import type { Db, Tx } from "#db/transaction"
import { requireAllowedReturn } from "#domain/selling/return-origins/require-allowed-return"
import { DomainError } from "#kit/domain-error"
import { noOrder, type Order } from "./order.ts"
import {
  findHolder,
  findOrders,
  lockReference,
  markReferenceReleased,
  type OrderOfPage,
  upsertOrder,
} from "./orders-repository.ts"

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

/** For a page that nobody ever paid. */
export async function releaseReference(tx: Tx, pageId: string): Promise<void> {
  await markReferenceReleased(tx, pageId)
}

/** The orders of these pages, without one for pages that have none. */
export async function findOrdersOfPages(db: Db, pageIds: readonly string[]): Promise<Map<string, Order>> {
  return findOrders(db, pageIds)
}

export async function findOrderOfPage(db: Db, pageId: string): Promise<Order | null> {
  return (await findOrders(db, [pageId])).get(pageId) ?? null
}

/** A deleted page that nobody paid has given its reference back, and isn't found by it. */
export async function findPageOfReference(db: Db, sellerId: string, externalReference: string): Promise<string | null> {
  return findHolder(db, sellerId, externalReference)
}

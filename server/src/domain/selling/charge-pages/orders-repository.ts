import { type RawBuilder, sql } from "kysely"
import { foldedPattern } from "#db/holds-text"
import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"
import type { Order } from "./order.ts"

export interface OrderOfPage {
  pageId: string
  sellerId: string
  order: Order
}

/** Serialises all who want this reference, so that the next reading knows whether it is held. */
export async function lockReference(tx: Tx, sellerId: string, externalReference: string): Promise<void> {
  const name = `order:${sellerId}:${externalReference}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** The page that holds the reference. */
export async function findHolder(db: Db, sellerId: string, externalReference: string): Promise<string | null> {
  const row = await db
    .selectFrom("orders")
    .select("page_id")
    .where("seller_id", "=", sellerId)
    .where("external_reference", "=", externalReference)
    .where("is_released", "=", false)
    .executeTakeFirst()
  return row?.page_id ?? null
}

export async function upsertOrder(tx: Tx, { pageId, sellerId, order }: OrderOfPage): Promise<void> {
  const changes = {
    external_reference: order.externalReference,
    metadata: JSON.stringify(order.metadata),
    return_url: order.returnUrl,
  }
  await tx
    .insertInto("orders")
    .values({ page_id: pageId, seller_id: sellerId, ...changes } satisfies NewRow<"orders", "is_released">)
    .onConflict((conflict) => conflict.column("page_id").doUpdateSet(changes))
    .execute()
}

export async function markReferenceReleased(tx: Tx, pageId: string): Promise<void> {
  await tx.updateTable("orders").set({ is_released: true }).where("page_id", "=", pageId).execute()
}

export async function findOrders(db: Db, pageIds: readonly string[]): Promise<Map<string, Order>> {
  if (pageIds.length === 0) return new Map()
  const { rows } = await sql<Order & { pageId: string }>`
    select page_id as "pageId", external_reference as "externalReference", metadata, return_url as "returnUrl"
    from orders where page_id = any(${pageIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ pageId, ...order }) => [pageId, order]))
}

/** The order of one page, read in the same statement; null without one. */
export function orderOf(page: string): RawBuilder<Order | null> {
  return sql<Order | null>`(
    select json_build_object(
      'externalReference', external_reference, 'metadata', metadata, 'returnUrl', return_url
    ) from orders where page_id = ${sql.ref(`${page}.id`)}
  )`
}

/** Ids of pages whose order's reference contains the words; of any seller's when there is none. */
export function pagesWithReference(words: string, sellerId?: string): RawBuilder<unknown> {
  const ofSeller = sellerId === undefined ? sql`true` : sql`seller_id = ${sellerId}`
  return sql`select page_id from orders where reference_text like ${foldedPattern(words)} and ${ofSeller}`
}

import type { Db } from "#db/transaction"
import { noOrder, type Order } from "#domain/selling/charge-pages/order"
import { findOrdersOfPages } from "#domain/selling/charge-pages/save-order"

/** Each charge with the order of its page, found by one lookup: payments, which need no order, read none. */
export async function withOrders<C extends { pageId: string | null }>(
  db: Db,
  charges: readonly C[],
): Promise<(C & { order: Order })[]> {
  const pageIds = new Set(charges.flatMap(({ pageId }) => (pageId === null ? [] : [pageId])))
  const orders = await findOrdersOfPages(db, [...pageIds])
  return charges.map((charge) => ({ ...charge, order: orders.get(charge.pageId ?? "") ?? noOrder }))
}

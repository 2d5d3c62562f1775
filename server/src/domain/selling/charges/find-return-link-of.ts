import { payerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import type { Db } from "#db/transaction"
import { findOrderOfPage } from "#domain/selling/charge-pages/save-order"
import { findReturnLink } from "#domain/selling/return-origins/find-return-link"
import type { Clock } from "#kit/clock"
import type { Charge } from "./charge.ts"

/** The way back of the payer of one charge; null before the payment, and once all of it was refunded. */
export async function findReturnLinkOf(
  deps: { db: Db; clock: Clock },
  { id, sellerId, pageId, status }: Charge,
): Promise<string | null> {
  if (status !== "paid" || pageId === null) return null
  const order = await findOrderOfPage(deps.db, pageId)
  if (order === null || order.returnUrl === null) return null
  const { externalReference, returnUrl } = order
  return findReturnLink(deps, {
    sellerId,
    transactionId: id,
    status: payerStatusOf[status],
    externalReference,
    returnUrl,
  })
}

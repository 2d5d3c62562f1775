import { payerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import { findOrderOfPage } from "#domain/selling/charge-pages/save-order"
import { findReturnLink, type ReturnDeps } from "#domain/selling/return-origins/find-return-link"
import type { Charge } from "./charge.ts"

/** The way back of the payer of one charge; null before the payment, and once all of it was refunded. */
export async function findReturnLinkOf(
  deps: ReturnDeps,
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

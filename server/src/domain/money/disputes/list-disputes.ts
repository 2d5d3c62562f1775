import type { Db } from "#db/transaction"
import { readSellerBlocked } from "#domain/money/payments/read-seller-balance"
import { getCharge, getSellersCharge } from "#domain/selling/charges/get-charge"
import type { Cents } from "#kit/money"
import {
  type DisputeFilter,
  type DisputeTotals,
  type ListedDispute,
  listDisputeRows,
  listDisputesOfPayment,
  listLiveOfSeller,
  readDisputeTotals,
} from "./dispute-lists-repository.ts"

export type { ListedDispute } from "./dispute-lists-repository.ts"

/** For the admin, with totals of what the filter selects. */
export async function listDisputes(
  db: Db,
  filter: DisputeFilter,
  range: { offset: number; limit: number },
): Promise<{ disputes: ListedDispute[]; totals: DisputeTotals[] }> {
  const [disputes, totals] = await Promise.all([listDisputeRows(db, filter, range), readDisputeTotals(db, filter)])
  return { disputes, totals }
}

/** What is not decided, and how much it blocks. */
export async function listSellersDisputes(
  db: Db,
  sellerId: string,
): Promise<{ disputes: ListedDispute[]; blockedCents: Cents }> {
  const [disputes, blockedCents] = await Promise.all([listLiveOfSeller(db, sellerId), readSellerBlocked(db, sellerId)])
  return { disputes, blockedCents }
}

/** Of one payment, newest first. */
export async function listDisputesOf(db: Db, endToEndId: string): Promise<ListedDispute[]> {
  return listDisputesOfPayment(db, endToEndId)
}

/** Of one transaction; a seller's own only. */
export async function listDisputesOfCharge(
  db: Db,
  chargeId: string,
  sellerId: string | null,
): Promise<ListedDispute[]> {
  const charge = sellerId === null ? await getCharge(db, chargeId) : await getSellersCharge(db, chargeId, sellerId)
  return charge.endToEndId === null ? [] : listDisputesOf(db, charge.endToEndId)
}

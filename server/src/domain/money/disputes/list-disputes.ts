import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { readSellerBlocked } from "#domain/money/payments/read-seller-balance"
import { getCharge, getSellersCharge } from "#domain/selling/charges/get-charge"
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

/** For admins, with totals of everything that the filter selects. */
export async function listDisputes(
  db: Db,
  filter: DisputeFilter,
  range: { offset: number; limit: number },
): Promise<{ disputes: ListedDispute[]; totals: DisputeTotals[] }> {
  const [disputes, totals] = await Promise.all([listDisputeRows(db, filter, range), readDisputeTotals(db, filter)])
  return { disputes, totals }
}

/** Undecided disputes, and the amount that they block. */
export async function listSellersDisputes(
  db: Db,
  sellerId: string,
): Promise<{ disputes: ListedDispute[]; blockedCents: Cents }> {
  const [disputes, blockedCents] = await Promise.all([listLiveOfSeller(db, sellerId), readSellerBlocked(db, sellerId)])
  return { disputes, blockedCents }
}

/** Disputes of one payment, newest first. */
export async function listDisputesOf(db: Db, endToEndId: string): Promise<ListedDispute[]> {
  return listDisputesOfPayment(db, endToEndId)
}

/** Disputes of one transaction; sellers see only their own. */
export async function listDisputesOfCharge(
  db: Db,
  chargeId: string,
  sellerId: string | null,
): Promise<ListedDispute[]> {
  const charge = sellerId === null ? await getCharge(db, chargeId) : await getSellersCharge(db, chargeId, sellerId)
  return charge.endToEndId === null ? [] : listDisputesOf(db, charge.endToEndId)
}

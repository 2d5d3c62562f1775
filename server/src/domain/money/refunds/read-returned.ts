import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import type { Refund } from "./refund.ts"
import { listRefundsOfCharge, sumLiveRefunds, sumReturnedOfUncredited } from "./refunds-repository.ts"

/** The part of an uncredited payment that was already returned. */
export async function readReturnedOfUncredited(db: Db, endToEndId: string): Promise<Cents> {
  return sumReturnedOfUncredited(db, endToEndId)
}

/** Refunds of a charge, completed or under way, and their share of the fee. */
export async function readReturnedOfCharge(db: Db, chargeId: string): Promise<{ grossCents: Cents; feeCents: Cents }> {
  return sumLiveRefunds(db, chargeId)
}

/** Refunds that have reached the payer, oldest first. */
export async function listReturned(db: Db, chargeId: string): Promise<(Refund & { processedAt: Date })[]> {
  const refunds = await listRefundsOfCharge(db, chargeId)
  return refunds
    .flatMap((refund) => {
      const { status, processedAt } = refund
      return status === "completed" && processedAt !== null ? [{ ...refund, processedAt }] : []
    })
    .toReversed()
}

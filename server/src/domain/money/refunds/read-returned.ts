import type { Db } from "#db/transaction"
import type { Cents } from "#kit/money"
import type { Refund } from "./refund.ts"
import { listRefundsOfCharge, sumLiveRefunds, sumReturnedOfUncredited } from "./refunds-repository.ts"

/** The part of an uncredited payment that already went back. */
export async function readReturnedOfUncredited(db: Db, endToEndId: string): Promise<Cents> {
  return sumReturnedOfUncredited(db, endToEndId)
}

/** What went back of a charge or is on its way, and the fee's part of it. */
export async function readReturnedOfCharge(db: Db, chargeId: string): Promise<{ grossCents: Cents; feeCents: Cents }> {
  return sumLiveRefunds(db, chargeId)
}

/** What is back with the payer, first to last. */
export async function listReturned(db: Db, chargeId: string): Promise<(Refund & { processedAt: Date })[]> {
  const refunds = await listRefundsOfCharge(db, chargeId)
  return refunds
    .flatMap((refund) => {
      const { status, processedAt } = refund
      return status === "completed" && processedAt !== null ? [{ ...refund, processedAt }] : []
    })
    .toReversed()
}

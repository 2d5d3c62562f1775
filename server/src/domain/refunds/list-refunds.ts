import type { Db } from "#db/transaction"
import type { Charge } from "#domain/charges/charge"
import { isDisputedPayment } from "#domain/disputes/refuse-disputed"
import { type Cents, noMoney, subtractCents } from "#kit/money"
import type { Refund } from "./refund.ts"
import { listRefundsOfCharge, sumLiveRefunds } from "./refunds-repository.ts"

/** Newest first, and how much may still be refunded: nothing while the payment is disputed. */
export async function listRefunds(db: Db, charge: Charge): Promise<{ refunds: Refund[]; refundableCents: Cents }> {
  const [refunds, live, isDisputed] = await Promise.all([
    listRefundsOfCharge(db, charge.id),
    sumLiveRefunds(db, charge.id),
    charge.endToEndId === null ? false : isDisputedPayment(db, charge.endToEndId),
  ])
  const leftCents = subtractCents(charge.amountCents, live.grossCents)
  return { refunds, refundableCents: charge.status === "paid" && !isDisputed ? leftCents : noMoney }
}

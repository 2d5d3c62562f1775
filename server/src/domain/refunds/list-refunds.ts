import type { Db } from "#db/transaction"
import type { Charge } from "#domain/charges/charge"
import { type Cents, noMoney, subtractCents } from "#kit/money"
import type { Refund } from "./refund.ts"
import { listRefundsOfCharge, sumLiveRefunds } from "./refunds-repository.ts"

/** Newest first, and how much may still be refunded. */
export async function listRefunds(db: Db, charge: Charge): Promise<{ refunds: Refund[]; refundableCents: Cents }> {
  const [refunds, live] = await Promise.all([listRefundsOfCharge(db, charge.id), sumLiveRefunds(db, charge.id)])
  const leftCents = subtractCents(charge.amountCents, live.grossCents)
  return { refunds, refundableCents: charge.status === "paid" ? leftCents : noMoney }
}

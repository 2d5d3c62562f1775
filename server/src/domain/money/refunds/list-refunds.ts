import { type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import { isRefundable } from "@tilinta/contract/vocabulary/transaction-status"
import type { Db } from "#db/transaction"
import { isDisputedPayment } from "#domain/money/disputes/refuse-disputed"
import type { Charge } from "#domain/selling/charges/charge"
import type { Clock } from "#kit/clock"
import type { Day } from "#kit/sao-paulo-day"
import type { Refund } from "./refund.ts"
import { isTooLateToRefund, refundableUntil } from "./refund-deadline.ts"
import { listRefundsOfCharge, sumLiveRefunds } from "./refunds-repository.ts"

export interface KnownRefunds {
  /** Newest first. */
  refunds: Refund[]
  /** The amount that the caller may still refund: zero while the payment is disputed. */
  refundableCents: Cents
  deadline: { day: Day; hasPassed: boolean } | null
}

export async function listRefunds(
  { db, clock }: { db: Db; clock: Clock },
  charge: Charge,
  asker: "seller" | "admin",
): Promise<KnownRefunds> {
  const [refunds, live, isDisputed] = await Promise.all([
    listRefundsOfCharge(db, charge.id),
    sumLiveRefunds(db, charge.id),
    charge.endToEndId === null ? false : isDisputedPayment(db, charge.endToEndId),
  ])
  const day = refundableUntil(charge)
  const hasPassed = isTooLateToRefund(charge, clock.now())
  const mayRefund = isRefundable(charge.status) && !isDisputed && !(asker === "seller" && hasPassed)
  const refundableCents = mayRefund ? subtractCents(charge.amountCents, live.grossCents) : noMoney
  return { refunds, refundableCents, deadline: day === null ? null : { day, hasPassed } }
}

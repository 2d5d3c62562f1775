import type { Db, Tx } from "#db/transaction"
import { lockRefundWithPayment, recordOutcome } from "#domain/money/refunds/record-outcome"
import type { Refund } from "#domain/money/refunds/refund"
import { lockUnmatchedPayment } from "#domain/money/unmatched-payments/lock-unmatched-payment"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { invariant } from "#kit/invariant"
import { agreeOnSettlement } from "./agree-on-settlement.ts"
import type { SettledMoney } from "./ask-other-admins.ts"
import { isSettleableRefund } from "./describe-refunds.ts"
import type { SettleByHand, SettlementWaitsFor } from "./hand-settlement.ts"

interface SettledRefund {
  refund: Refund
  waitsFor: SettlementWaitsFor
}

/** Settles a refund that the bank has not answered for in a day, as it was paid or was not. */
export async function settleRefundByHand(
  { db, clock }: { db: Db; clock: Clock },
  said: SettleByHand,
): Promise<SettledRefund> {
  if (!isId(said.id)) throw new DomainError("refund_not_found")
  const now = clock.now()
  return db.transaction().execute((tx) => settle(tx, said, now))
}

async function settle(tx: Tx, said: SettleByHand, now: Date): Promise<SettledRefund> {
  const { id, admin, outcome, endToEndId, reason } = said
  const refund = await lockRefundWithPayment(tx, id)
  if (refund === null) throw new DomainError("refund_not_found")
  const { sellerId, sendingAt, amountCents, pspRefundId } = refund
  if (sellerId === admin.id) throw new DomainError("own_refund")
  if (!isSettleableRefund(refund, now)) throw new DomainError("not_settleable_by_hand")
  const money = { amountCents, sellerId, ...(await screenOf(tx, refund)) }
  const waitsFor = await agreeOnSettlement(tx, { subject: "refund", sendingAt, ...money }, said, now)
  if (waitsFor !== null) return { refund, waitsFor }
  const state = outcome === "paid" ? "completed" : "refused"
  const word = { pspRefundId, state, amountCents: null, returnId: endToEndId, reason, settledAt: null } as const
  await recordOutcome(tx, refund, word, { now, by: admin })
  return { refund: (await lockRefundWithPayment(tx, id)) ?? refund, waitsFor }
}

/** The refund of an uncredited payment is in no transaction. */
async function screenOf(tx: Tx, { chargeId, endToEndId }: Refund): Promise<Pick<SettledMoney, "screen" | "screenId">> {
  if (chargeId !== null) return { screen: "transactions", screenId: chargeId }
  const unmatched = await lockUnmatchedPayment(tx, endToEndId)
  invariant(unmatched !== null, `${endToEndId} is refunded without a charge, and is not unmatched`)
  return { screen: "unmatched-payments", screenId: unmatched.id }
}

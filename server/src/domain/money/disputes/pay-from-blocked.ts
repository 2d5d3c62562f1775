import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import type { Refund } from "#domain/money/refunds/refund"
import type { Dispute } from "./dispute.ts"
import { lockLiveDisputes, updateDispute } from "./disputes-repository.ts"

/**
 * The bank doesn't say for which dispute it takes money: chosen is the oldest with that much undebited, else the oldest
 * with any.
 */
export async function disputeOfDebit(tx: Tx, endToEndId: string, amountCents: Cents): Promise<Dispute | null> {
  const live = await lockLiveDisputes(tx, endToEndId)
  const lacks = (dispute: Dispute) => subtractCents(dispute.amountCents, dispute.debitedCents)
  return live.find((each) => lacks(each) >= amountCents) ?? live.find((each) => lacks(each) > noMoney) ?? null
}

/** Uses up the dispute's blocked amount first. Returns how much of the seller's part that covers. */
export async function payFromBlocked(tx: Tx, dispute: Dispute | null, refund: Refund, now: Date): Promise<Cents> {
  if (dispute === null) return noMoney
  const netCents = subtractCents(refund.amountCents, refund.feeCents)
  const paidCents = Math.min(dispute.blockedCents, netCents) as Cents
  await updateDispute(tx, dispute.id, {
    debited_cents: addCents(dispute.debitedCents, refund.amountCents),
    blocked_cents: subtractCents(dispute.blockedCents, paidCents),
    updated_at: now,
  })
  return paidCents
}

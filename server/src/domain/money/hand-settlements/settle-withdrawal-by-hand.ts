import type { Db, Tx } from "#db/transaction"
import { type DecidedWithdrawal, lockForeign } from "#domain/money/withdrawals/decide-withdrawal"
import { recordPayoutOutcome } from "#domain/money/withdrawals/settle-payout"
import type { Withdrawal } from "#domain/money/withdrawals/withdrawal"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { agreeOnSettlement } from "./agree-on-settlement.ts"
import { isOldEnough, type SettleByHand, type SettlementWaitsFor } from "./hand-settlement.ts"

interface SettledWithdrawal extends DecidedWithdrawal {
  waitsFor: SettlementWaitsFor
}

/** Settles a payout that the bank has not answered for in a day, as it was paid or was not. */
export async function settleWithdrawalByHand(
  { db, clock }: { db: Db; clock: Clock },
  said: SettleByHand,
): Promise<SettledWithdrawal> {
  const now = clock.now()
  return db.transaction().execute((tx) => settle(tx, said, now))
}

async function settle(tx: Tx, said: SettleByHand, now: Date): Promise<SettledWithdrawal> {
  const { id, admin, outcome, endToEndId, reason } = said
  const withdrawal = await lockForeign(tx, said)
  const { sellerId, sendingAt, amountCents } = withdrawal
  if (!isSettleable(withdrawal, now)) throw new DomainError("not_settleable_by_hand")
  const money = { amountCents, sellerId, screen: "withdrawals", screenId: id } as const
  const waitsFor = await agreeOnSettlement(tx, { subject: "withdrawal", sendingAt, ...money }, said, now)
  if (waitsFor !== null) return { withdrawal, waitsFor }
  const state = outcome === "paid" ? "completed" : "refused"
  const word = { state, amountCents: null, endToEndId, reason, settledAt: null } as const
  const settled = await recordPayoutOutcome(tx, id, word, { now, by: admin })
  return { withdrawal: settled ?? withdrawal, waitsFor }
}

export function isSettleable({ status, sentAt }: Pick<Withdrawal, "status" | "sentAt">, now: Date): boolean {
  return status === "processing" && isOldEnough(sentAt, now)
}

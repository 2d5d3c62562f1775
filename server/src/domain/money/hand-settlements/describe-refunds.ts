import { isRefundUnderWay } from "@tilinta/contract/vocabulary/refund-status"
import type { Db } from "#db/transaction"
import { findRefunds } from "#domain/money/refunds/find-refunds"
import type { Refund } from "#domain/money/refunds/refund"
import type { NameUsers } from "#domain/people/users/user-names"
import type { Clock } from "#kit/clock"
import { type DescribedSettlement, describeSettlements } from "./describe-settlements.ts"
import { isOldEnough } from "./hand-settlement.ts"

export interface DescribedRefund extends Refund {
  isSettleable: boolean
  handSettlement: DescribedSettlement | null
}

/** Refunds as admins read them: with what people have said in the bank's place. */
export async function describeRefunds(
  deps: { db: Db; nameUsers: NameUsers; clock: Clock },
  refunds: readonly Refund[],
): Promise<DescribedRefund[]> {
  const now = deps.clock.now()
  const settlements = await describeSettlements(
    deps,
    refunds.map(({ id, sellerId, status }) => ({ id, sellerId, isUnderWay: isRefundUnderWay(status) })),
  )
  return refunds.map((refund) => ({
    ...refund,
    isSettleable: isSettleableRefund(refund, now),
    handSettlement: settlements.get(refund.id) ?? null,
  }))
}

/** By id, for what names its refund. */
export async function describeRefundsOf(
  deps: { db: Db; nameUsers: NameUsers; clock: Clock },
  ids: readonly string[],
): Promise<Map<string, DescribedRefund>> {
  const described = await describeRefunds(deps, await findRefunds(deps.db, ids))
  return new Map(described.map((refund) => [refund.id, refund]))
}

export function isSettleableRefund({ status, createdAt }: Refund, now: Date): boolean {
  return isRefundUnderWay(status) && isOldEnough(createdAt, now)
}

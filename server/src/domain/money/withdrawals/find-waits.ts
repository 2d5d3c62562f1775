import type { WithdrawalWait } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { Db } from "#db/transaction"
import { findFrozen } from "#domain/people/freezes/find-frozen"
import { findInactiveUsers } from "#domain/people/users/find-inactive-users"
import { readWithdrawalsEnabled } from "#domain/platform/settings/read-setting"
import type { Withdrawal } from "./withdrawal.ts"

/** Why approved withdrawals are not paid yet, by id; those that are about to be are left out. */
export async function findWaits(db: Db, withdrawals: readonly Withdrawal[]): Promise<Map<string, WithdrawalWait>> {
  const unpaid = withdrawals.filter(isUnpaid)
  if (unpaid.length === 0) return new Map()
  const sellerIds = unpaid.map(({ sellerId }) => sellerId)
  const frozen = await findFrozen(db, sellerIds)
  const inactive = await findInactiveUsers(db, sellerIds)
  const isEnabled = await readWithdrawalsEnabled(db)
  return new Map(
    unpaid.flatMap(({ id, sellerId, isPaidByHand }): [string, WithdrawalWait][] => {
      if (frozen.has(sellerId)) return [[id, "account_frozen"]]
      if (isPaidByHand) return []
      if (!isEnabled) return [[id, "withdrawals_disabled"]]
      return inactive.has(sellerId) ? [[id, "seller_inactive"]] : []
    }),
  )
}

/** A job may have taken it for sending just before it was stopped. */
function isUnpaid({ status, sendingAt }: Withdrawal): boolean {
  return status === "approved" || (status === "processing" && sendingAt === null)
}

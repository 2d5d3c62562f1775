import type { WithdrawalWait } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { Db } from "#db/transaction"
import { findInactiveUsers } from "#domain/people/users/find-inactive-users"
import { readWithdrawalsEnabled } from "#domain/platform/settings/read-setting"
import type { Withdrawal } from "./withdrawal.ts"

/** Why approved withdrawals are not sent yet, by id; those that are about to be are left out. */
export async function findWaits(db: Db, withdrawals: readonly Withdrawal[]): Promise<Map<string, WithdrawalWait>> {
  const unsent = withdrawals.filter(isUnsent)
  if (unsent.length === 0) return new Map()
  if (!(await readWithdrawalsEnabled(db))) return new Map(unsent.map(({ id }) => [id, "withdrawals_disabled"]))
  const inactive = await findInactiveUsers(
    db,
    unsent.map(({ sellerId }) => sellerId),
  )
  const held = unsent.filter(({ sellerId }) => inactive.has(sellerId))
  return new Map(held.map(({ id }) => [id, "seller_inactive"]))
}

/** A job may have taken it for sending just before it was stopped. */
function isUnsent({ status, isPaidByHand, sendingAt }: Withdrawal): boolean {
  return !isPaidByHand && (status === "approved" || (status === "processing" && sendingAt === null))
}

import type { Tx } from "#db/transaction"
import { suspendWithdrawals } from "#domain/platform/settings/suspend-withdrawals"

/**
 * A restored database holds back all money that leaves, until an administrator has compared it with the bank. In the
 * transaction that fills it, because a server may start as soon as that has ended.
 */
export function suspendAfterRestore(tx: Tx): Promise<void> {
  return suspendWithdrawals(tx, new Date())
}

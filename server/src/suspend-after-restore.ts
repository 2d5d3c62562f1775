import type { Db, Tx } from "#db/transaction"
import { suspendWithdrawals } from "#domain/platform/settings/suspend-withdrawals"

/** A restored database holds back all money that leaves, until an administrator has compared it with the bank. */
export async function suspendAfterRestore(db: Db): Promise<void> {
  await db.transaction().execute(suspendNow)
}

async function suspendNow(tx: Tx): Promise<void> {
  await suspendWithdrawals(tx, new Date())
}

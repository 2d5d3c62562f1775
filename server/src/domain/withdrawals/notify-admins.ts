import type { Tx } from "#db/transaction"
import { enqueueMails } from "#domain/mails/enqueue-mails"
import { readNotifiesAdminOnWithdrawal } from "#domain/settings/read-setting"
import { getUser } from "#domain/users/get-user"
import { listActiveAdmins } from "#domain/users/list-active-admins"
import type { Withdrawal } from "./withdrawal.ts"

/** One mail for each active admin, unless the setting says no. */
export async function notifyAdmins(tx: Tx, withdrawal: Withdrawal): Promise<void> {
  if (!(await readNotifiesAdminOnWithdrawal(tx))) return
  const [seller, admins] = await Promise.all([getUser(tx, withdrawal.sellerId), listActiveAdmins(tx)])
  const content = {
    kind: "withdrawal_requested",
    sellerName: seller.name,
    amountCents: withdrawal.amountCents,
    method: withdrawal.destination.method,
    requestedAt: withdrawal.createdAt.toISOString(),
  } as const
  const mails = admins.map((userId) => ({ userId, content, dedupeKey: `withdrawal:${withdrawal.id}:${userId}` }))
  await enqueueMails(tx, mails, withdrawal.createdAt)
}

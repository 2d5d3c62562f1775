import type { Tx } from "#db/transaction"
import type { Person } from "#domain/people/users/find-people"
import { listActiveAdmins } from "#domain/people/users/list-active-admins"
import { enqueueMails, type NewMail } from "#domain/platform/mails/enqueue-mails"
import { readNotifiesAdminOnWithdrawal } from "#domain/platform/settings/read-setting"
import type { Withdrawal } from "./withdrawal.ts"

/** One mail per withdrawal and active admin, unless the setting disables it. */
export async function notifyAdmins(
  tx: Tx,
  withdrawals: readonly Withdrawal[],
  sellers: ReadonlyMap<string, Person>,
): Promise<void> {
  if (!(await readNotifiesAdminOnWithdrawal(tx))) return
  const admins = await listActiveAdmins(tx)
  const mails = withdrawals.flatMap((withdrawal) => mailsOf(withdrawal, sellers.get(withdrawal.sellerId), admins))
  const latest = Math.max(...withdrawals.map(({ createdAt }) => createdAt.getTime()))
  await enqueueMails(tx, mails, new Date(latest))
}

function mailsOf(withdrawal: Withdrawal, seller: Person | undefined, admins: readonly string[]): NewMail[] {
  const content = {
    kind: "withdrawal_requested",
    sellerName: seller?.name ?? "",
    amountCents: withdrawal.amountCents,
    method: withdrawal.destination.method,
    requestedAt: withdrawal.createdAt.toISOString(),
  } as const
  return admins.map((userId) => ({ userId, content, dedupeKey: `withdrawal:${withdrawal.id}:${userId}` }))
}

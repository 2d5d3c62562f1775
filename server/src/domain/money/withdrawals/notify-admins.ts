import type { Tx } from "#db/transaction"
import type { Person } from "#domain/people/users/find-people"
import { listActiveAdmins } from "#domain/people/users/list-active-admins"
import { enqueueMails, type NewMail } from "#domain/platform/mails/enqueue-mails"
import { readNotifiesAdminOnWithdrawal } from "#domain/platform/settings/read-setting"
import type { Withdrawal } from "./withdrawal.ts"
import { comparedDestination, type WithdrawalFacts } from "./withdrawal-facts.ts"
import { findLastPaidDestinations } from "./withdrawal-facts-repository.ts"
import { maskedDestination } from "./withdrawal-notices.ts"

/** One mail per withdrawal and active admin, unless the setting disables it. */
export async function notifyAdmins(
  tx: Tx,
  withdrawals: readonly Withdrawal[],
  { sellers, at }: { sellers: ReadonlyMap<string, Person>; at: Date },
): Promise<void> {
  if (!(await readNotifiesAdminOnWithdrawal(tx))) return
  const admins = await listActiveAdmins(tx)
  const lastPaid = await findLastPaidDestinations(tx, [...new Set(withdrawals.map(({ sellerId }) => sellerId))])
  const mails = withdrawals.flatMap((withdrawal) => {
    const comparison = comparedDestination(lastPaid.get(withdrawal.sellerId) ?? null, withdrawal.destination)
    return mailsOf({ withdrawal, seller: sellers.get(withdrawal.sellerId), comparison }, admins)
  })
  await enqueueMails(tx, mails, at)
}

interface Asked {
  withdrawal: Withdrawal
  seller: Person | undefined
  comparison: WithdrawalFacts["destination"]
}

function mailsOf({ withdrawal, seller, comparison }: Asked, admins: readonly string[]): NewMail[] {
  const content = {
    kind: "withdrawal_requested",
    sellerName: seller?.name ?? "",
    amountCents: withdrawal.amountCents,
    method: withdrawal.destination.method,
    destination: maskedDestination(withdrawal.destination),
    comparison,
    requestedAt: withdrawal.createdAt.toISOString(),
  } as const
  return admins.map((userId) => ({ userId, content, dedupeKey: `withdrawal:${withdrawal.id}:${userId}` }))
}

import { holdReasonLabels } from "@tilinta/contract/vocabulary/withdrawal-holds"
import type { Tx } from "#db/transaction"
import type { Person } from "#domain/people/users/find-people"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { tellAdmins, tellOwners } from "#domain/platform/notices/tell-owner"
import type { Withdrawal } from "./withdrawal.ts"
import { heldNotice } from "./withdrawal-notices.ts"

/** Tells sellers and administrators which of these new withdrawals wait, in their lists: mails of the requests go, too. */
export async function noteHolds(
  tx: Tx,
  withdrawals: readonly Withdrawal[],
  { sellers, now }: { sellers: ReadonlyMap<string, Person>; now: Date },
): Promise<void> {
  const held = withdrawals.filter(({ heldUntil }) => heldUntil !== null)
  if (held.length === 0) return
  await tellOwners(
    tx,
    held.map((withdrawal) => ({ ...heldNotice(withdrawal), mail: null })),
    now,
  )
  for (const withdrawal of held) {
    const { id: withdrawalId, sellerId, amountCents, holdReasons } = withdrawal
    const sellerName = sellers.get(sellerId)?.name ?? ""
    const reasons = holdReasons.map((reason) => holdReasonLabels[reason])
    const notice = { kind: "withdrawal_to_check", withdrawalId, sellerName, amountCents, reasons } as const
    await tellAdmins(tx, { notice, dedupeKey: `held:${withdrawalId}`, mail: null }, now)
  }
  await appendEvents(
    tx,
    "withdrawal.held",
    held.map(({ id }) => id),
    now,
  )
}

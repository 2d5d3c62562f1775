import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import { findPeople } from "#domain/people/users/find-people"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import type { SettlementScreen } from "#domain/platform/mails/mail-content"
import type { HandSettlement } from "./hand-settlement.ts"

/** The money as a mail shows it. */
export interface SettledMoney {
  amountCents: Cents
  sellerId: string | null
  /** The screen on which an administrator finds it, and its id there. */
  screen: SettlementScreen
  screenId: string
}

/** One mail per word and administrator who may say the same: without it a word could wait unseen for ever. */
export async function askOtherAdmins(
  tx: Tx,
  said: HandSettlement,
  { sellerId, ...money }: SettledMoney,
  { admins, now }: { admins: readonly string[]; now: Date },
): Promise<void> {
  const { subjectId, subject, outcome, endToEndId, reason, proposedBy, proposedAt } = said
  const people = await findPeople(tx, [proposedBy, ...(sellerId === null ? [] : [sellerId])])
  const content = {
    kind: "settlement_waits",
    ...{ subject, outcome, endToEndId, reason },
    ...money,
    sellerName: sellerId === null ? null : (people.get(sellerId)?.name ?? ""),
    saidBy: people.get(proposedBy)?.name ?? "",
    saidAt: proposedAt.toISOString(),
  } as const
  const others = admins.filter((id) => id !== proposedBy && id !== sellerId)
  const dedupeKey = `hand-settlement:${subjectId}:${proposedBy}:${proposedAt.toISOString()}`
  await enqueueMails(
    tx,
    others.map((userId) => ({ userId, content, dedupeKey: `${dedupeKey}:${userId}` })),
    now,
  )
}

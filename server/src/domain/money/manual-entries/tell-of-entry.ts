import type { Tx } from "#db/transaction"
import { getUser } from "#domain/people/users/get-user"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { tellAdmins, tellOwner } from "#domain/platform/mails/tell-owner"
import type { ManualEntry } from "./manual-entry.ts"

/** Every administrator hears, also the one who did it: a stolen session must not book unheard. A corrected seller, too. */
export async function tellOfEntry(tx: Tx, entry: ManualEntry, by: Actor, now: Date): Promise<void> {
  const { id, kind, amountCents, reason, bookedAt, refusedAt, sellerId, direction } = entry
  const isBooked = bookedAt !== null
  const isRefused = refusedAt !== null
  const step = isBooked ? "booked" : isRefused ? "refused" : "proposed"
  const { name } = await getUser(tx, by.id)
  const happenedAt = now.toISOString()
  const notice = {
    kind: "manual_entry",
    isBooked,
    isRefused,
    entry: kind,
    amountCents,
    reason,
    by: name,
    happenedAt,
  } as const
  await tellAdmins(tx, { notice, dedupeKey: `manual-entry:${id}:${step}` }, now)
  if (!isBooked || sellerId === null) return
  const isCredit = direction === "credit"
  const corrected = { kind: "balance_corrected", isCredit, amountCents, reason, correctedAt: happenedAt } as const
  await tellOwner(tx, { userId: sellerId, notice: corrected, dedupeKey: `balance-corrected:${id}` }, now)
}

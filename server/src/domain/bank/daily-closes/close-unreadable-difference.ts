import type { Db, Tx } from "#db/transaction"
import { type CloseUnreadable, closeUnreadableEntry } from "#domain/bank/reconciliation/close-unreadable"
import type { Clock } from "#kit/clock"
import { countDifferences, lockClosesNaming, markMended, updateClose } from "./daily-closes-repository.ts"

/** Closes an unreadable entry. The daily closes that name it keep it, as settled. */
export async function closeUnreadable(
  { db, clock }: { db: Db; clock: Clock },
  closing: CloseUnreadable,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => close(tx, closing, now))
}

async function close(tx: Tx, closing: CloseUnreadable, now: Date): Promise<void> {
  const entry = await closeUnreadableEntry(tx, closing, now)
  for (const closeId of await lockClosesNaming(tx, entry)) {
    await markMended(tx, closeId, entry)
    const { open, mended } = await countDifferences(tx, closeId)
    await updateClose(tx, closeId, { difference_count: open, mended_count: mended })
  }
}

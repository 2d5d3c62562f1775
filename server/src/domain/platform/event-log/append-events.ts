import type { Tx } from "#db/transaction"
import { type AppendedType, insertDrafts } from "./event-log-repository.ts"

/**
 * Appends the same fact about each subject, last in the transaction of the change: the event shows the rows as they are now.
 * The database itself appends the events of payments and of other changes of charges.
 */
export async function appendEvents(
  tx: Tx,
  type: AppendedType,
  subjectIds: readonly string[],
  now: Date,
): Promise<void> {
  if (subjectIds.length > 0) await insertDrafts(tx, { type, subjectIds, now })
}

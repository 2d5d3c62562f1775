import type { Tx } from "#db/transaction"
import { deleteUnsentOf } from "./mails-repository.ts"

/** Nothing that waits, or was given up, is sent to somebody who left. */
export async function withdrawMails(tx: Tx, userId: string): Promise<void> {
  await deleteUnsentOf(tx, userId)
}

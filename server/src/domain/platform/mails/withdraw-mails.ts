import type { Tx } from "#db/transaction"
import { deleteUnsentOf, deleteUnsentOfKeys } from "./mails-repository.ts"

/** Nothing that waits, or was given up, is sent to somebody who left. */
export async function withdrawMails(tx: Tx, userId: string): Promise<void> {
  await deleteUnsentOf(tx, userId)
}

/** Nor to a payer whose data are erased. The charge may not have such a mail. */
export async function withdrawReceipts(tx: Tx, chargeIds: readonly string[]): Promise<void> {
  await deleteUnsentOfKeys(tx, chargeIds.map(receiptMailKey))
}

/** Deduplicates mails of receipts. */
export function receiptMailKey(chargeId: string): string {
  return `receipt:${chargeId}`
}

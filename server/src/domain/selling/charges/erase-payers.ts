import type { Tx } from "#db/transaction"
import { withdrawReceipts } from "#domain/platform/mails/enqueue-mails"
import { type Erasing, erasePayerRows } from "./payer-data-repository.ts"

/** Those of the charges that are over, and what waits to be mailed to their payers. */
export async function erasePayers(tx: Tx, chargeIds: readonly string[], erasing: Erasing): Promise<string[]> {
  const erased = await erasePayerRows(tx, chargeIds, erasing)
  await withdrawReceipts(tx, erased)
  return erased
}

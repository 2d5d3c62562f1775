import type { Tx } from "#db/transaction"
import { findFactorsOf } from "./find-factors.ts"
import { deleteRecoveryCodes } from "./second-factors-repository.ts"

/** Without a factor left the recovery codes have nothing to recover. */
export async function deleteUselessCodes(tx: Tx, userId: string): Promise<void> {
  if ((await findFactorsOf(tx, userId)).length === 0) await deleteRecoveryCodes(tx, userId)
}

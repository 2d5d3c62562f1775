import type { Tx } from "#db/transaction"
import { deletePasskeysOf } from "./passkeys-repository.ts"
import { deleteRecoveryCodes, deleteTotp, lockFactorsOf } from "./second-factors-repository.ts"

/** For an account that is deleted: nobody is told, as nobody signs in any more. */
export async function eraseFactors(tx: Tx, userId: string): Promise<void> {
  await lockFactorsOf(tx, userId)
  await deleteTotp(tx, userId)
  await deletePasskeysOf(tx, userId)
  await deleteRecoveryCodes(tx, userId)
}

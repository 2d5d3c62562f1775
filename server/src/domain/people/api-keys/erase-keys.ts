import type { Tx } from "#db/transaction"
import { eraseKeyRows, lockKeysOf } from "./api-keys-repository.ts"

/** Revokes every key of an account that is deleted. The rows stay, as withdrawals name the key that requested them. */
export async function eraseKeys(tx: Tx, userId: string, now: Date): Promise<void> {
  await lockKeysOf(tx, userId)
  await eraseKeyRows(tx, userId, now)
}

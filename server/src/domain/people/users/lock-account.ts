import type { Tx } from "#db/transaction"
import type { User } from "./user.ts"
import { lockUser } from "./users-repository.ts"

/** Keeps the account as it is until the end of the transaction, also its withdrawals: requests wait. */
export async function lockAccount(tx: Tx, id: string): Promise<User | null> {
  const locked = await lockUser(tx, id)
  if (locked === undefined) return null
  const { passwordHash: _, ...user } = locked
  return user
}

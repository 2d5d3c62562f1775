import type { Tx } from "#db/transaction"
import { holdActive } from "./users-repository.ts"

/** False when the user is inactive; else nobody inactivates the user before the end of the transaction. */
export async function holdActiveUser(tx: Tx, id: string): Promise<boolean> {
  return holdActive(tx, id)
}

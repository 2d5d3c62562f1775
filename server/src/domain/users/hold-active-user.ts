import type { Tx } from "#db/transaction"
import { holdActive } from "./users-repository.ts"

/** Those of them who are active; nobody inactivates these before the end of the transaction. */
export async function holdActiveUsers(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  return new Set(await holdActive(tx, ids))
}

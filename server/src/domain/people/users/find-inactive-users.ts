import type { Db } from "#db/transaction"
import { findInactiveAmong } from "./users-repository.ts"

/** Those of the users whose accounts are switched off. */
export async function findInactiveUsers(db: Db, ids: readonly string[]): Promise<Set<string>> {
  return new Set(await findInactiveAmong(db, [...new Set(ids)]))
}

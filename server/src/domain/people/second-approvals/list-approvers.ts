import type { Db } from "#db/transaction"
import { findApproverIds } from "./second-approvals-repository.ts"

/** Administrators whose word counts: active, with a password, and with rights that have begun. */
export async function listApprovers(db: Db, now: Date): Promise<string[]> {
  return findApproverIds(db, now)
}

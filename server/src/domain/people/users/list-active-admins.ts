import type { Db } from "#db/transaction"
import { findActiveAdminIds } from "./users-repository.ts"

/** Whom a mail to the admins goes to. */
export async function listActiveAdmins(db: Db): Promise<string[]> {
  return findActiveAdminIds(db)
}

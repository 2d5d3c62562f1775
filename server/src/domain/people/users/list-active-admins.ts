import type { Db } from "#db/transaction"
import { findActiveAdminEmails, findActiveAdminIds } from "./users-repository.ts"

/** Recipients of mails to the admins. */
export async function listActiveAdmins(db: Db): Promise<string[]> {
  return findActiveAdminIds(db)
}

export async function listAdminEmails(db: Db): Promise<string[]> {
  return findActiveAdminEmails(db)
}

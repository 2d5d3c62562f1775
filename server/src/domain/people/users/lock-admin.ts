import type { Tx } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { lockUsers, type UserWithPassword } from "./users-repository.ts"

/**
 * Until the end of the transaction the one who acts stays an active admin. That is why there always is one:
 * of two admins who demote each other the second to come isn't one any more.
 */
export async function lockAdminAnd(tx: Tx, adminId: string, userId: string | null): Promise<UserWithPassword | null> {
  const users = await lockUsers(tx, userId === null ? [adminId] : [adminId, userId])
  const admin = users.find(({ id }) => id === adminId)
  if (admin === undefined || admin.role !== "admin" || !admin.active) throw new DomainError("forbidden")
  return users.find(({ id }) => id === userId) ?? null
}

import type { Tx } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { lockUsers, type UserWithPassword } from "./users-repository.ts"

/**
 * Keeps the acting user an active admin until the end of the transaction. Therefore one always remains: of two admins
 * who demote each other, the second is no longer one.
 */
export async function lockAdminAnd(tx: Tx, adminId: string, userId: string | null): Promise<UserWithPassword | null> {
  const users = await lockUsers(tx, userId === null ? [adminId] : [adminId, userId])
  const admin = users.find(({ id }) => id === adminId)
  if (admin === undefined || admin.role !== "admin" || !admin.active) throw new DomainError("forbidden")
  return users.find(({ id }) => id === userId) ?? null
}

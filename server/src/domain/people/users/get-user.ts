import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import type { User } from "./user.ts"
import { findUserById } from "./users-repository.ts"

export async function getUser(db: Db, id: string): Promise<User> {
  const user = await findUserById(db, id)
  if (user === undefined) throw new DomainError("not_found")
  return user
}

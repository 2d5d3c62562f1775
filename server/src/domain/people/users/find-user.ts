import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import type { User } from "./user.ts"
import { findUserById } from "./users-repository.ts"

export async function findUser(db: Db, id: string): Promise<User | null> {
  return (isId(id) ? await findUserById(db, id) : null) ?? null
}

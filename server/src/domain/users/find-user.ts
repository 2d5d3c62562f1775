import type { Db } from "#db/transaction"
import type { User } from "./user.ts"
import { findUserById } from "./users-repository.ts"

export async function findUser(db: Db, id: string): Promise<User | null> {
  return (await findUserById(db, id)) ?? null
}

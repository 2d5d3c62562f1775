import type { Db } from "#db/transaction"
import { findUserDifferences, type UserDifference } from "./verification-repository.ts"

/** Proves that the counts of users are those of their rows. Reads all of them: for operators. */
export async function verifyUsers(db: Db): Promise<UserDifference[]> {
  return findUserDifferences(db)
}

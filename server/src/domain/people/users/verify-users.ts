import type { Db } from "#db/transaction"
import { findUserDifferences, type UserDifference } from "./user-verification-repository.ts"

/** Verifies the counts of users against the rows. Reads them all: for operators. */
export async function verifyUsers(db: Db): Promise<UserDifference[]> {
  return findUserDifferences(db)
}

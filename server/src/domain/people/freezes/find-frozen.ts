import type { Db } from "#db/transaction"
import { findFreezes, findThawedSince } from "./freezes-repository.ts"

/** Since when the accounts are frozen; those that aren't are missing. */
export async function findFrozen(db: Db, userIds: readonly string[]): Promise<Map<string, Date>> {
  if (userIds.length === 0) return new Map()
  const freezes = await findFreezes(db, [...new Set(userIds)])
  return new Map(freezes.map(({ userId, frozenAt }) => [userId, frozenAt]))
}

/** Accounts whose freeze ended since then, or has not ended. */
export async function findFrozenSince(db: Db, userIds: readonly string[], since: Date): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const ids = [...new Set(userIds)]
  const underWay = await findFreezes(db, ids)
  return new Set([...underWay.map(({ userId }) => userId), ...(await findThawedSince(db, ids, since))])
}

import type { Tx } from "#db/transaction"
import { type Claim, findKeys, insertKeys } from "./idempotency-repository.ts"

export type { Claim } from "./idempotency-repository.ts"

/** Somebody else claimed one of the keys after it was looked for. Nothing may be stored; a second look finds it. */
export class KeyTakenMeanwhile extends Error {
  override name = "KeyTakenMeanwhile"
}

/** What these keys made already; a key that made nothing isn't in it. */
export async function findClaims(tx: Tx, keys: readonly Pick<Claim, "ownerId" | "key">[]): Promise<Claim[]> {
  return keys.length === 0 ? [] : findKeys(tx, keys)
}

/** Keys of different requests, which nothing was found for. */
export async function claimTogether(tx: Tx, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return
  if ((await insertKeys(tx, claims)) < claims.length) throw new KeyTakenMeanwhile()
}

import type { Tx } from "#db/transaction"
import { type Claim, findKeys, insertKeys } from "./idempotency-repository.ts"

export type { Claim } from "./idempotency-repository.ts"

/** A key was claimed between the lookup and the insert. The transaction must roll back; a retry finds it. */
export class KeyTakenMeanwhile extends Error {
  override name = "KeyTakenMeanwhile"
}

/** The resources that these keys created; new keys are missing. */
export async function findClaims(tx: Tx, keys: readonly Pick<Claim, "ownerId" | "key">[]): Promise<Claim[]> {
  return keys.length === 0 ? [] : findKeys(tx, keys)
}

/** Claims keys of different requests that were just looked up and not found. */
export async function claimTogether(tx: Tx, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return
  if ((await insertKeys(tx, claims)) < claims.length) throw new KeyTakenMeanwhile()
}

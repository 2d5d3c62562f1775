import type { ApiKeyScope } from "@tilinta/contract/vocabulary/api-keys"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { hashOfToken } from "#kit/secret-token"
import { findUsableKey, touchKey } from "./api-keys-repository.ts"

const touchEverySeconds = 60

interface KeyHolder {
  apiKeyId: string
  userId: string
  scopes: readonly ApiKeyScope[]
}

/**
 * Null unless it is a live key of an active user. Looked up at every request, so that a revoked key stops at once.
 * @throws api_key_frozen
 */
export async function authenticateKey(
  { db, clock }: { db: Db; clock: Clock },
  key: string,
  address: string,
): Promise<KeyHolder | null> {
  const now = clock.now()
  const found = await findUsableKey(db, hashOfToken(key), now)
  if (found === undefined) return null
  if (found.isFrozen) throw new DomainError("api_key_frozen")

  const unlessUsedSince = secondsAfter(now, -touchEverySeconds)
  if (found.lastUsedAt === null || found.lastUsedAt < unlessUsedSince) {
    const use = { id: found.id, at: now, address, unlessUsedSince }
    await db.transaction().execute((tx: Tx) => touchKey(tx, use))
  }
  return { apiKeyId: found.id, userId: found.userId, scopes: found.scopes }
}

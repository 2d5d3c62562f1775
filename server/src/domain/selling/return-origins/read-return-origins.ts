import type { Db } from "#db/transaction"
import type { SecretKeys } from "#kit/secret-box"
import { findOriginsOf } from "./return-origins-repository.ts"
import { openSigningKey } from "./signing-key-box.ts"

export interface ReturnOrigins {
  origins: string[]
  /** Null until the first origin is allowed. */
  signingKey: string | null
}

export async function readReturnOrigins(
  { db, secretKeys }: { db: Db; secretKeys: SecretKeys },
  sellerId: string,
): Promise<ReturnOrigins> {
  const stored = await findOriginsOf(db, sellerId)
  if (stored === null) return { origins: [], signingKey: null }
  return { origins: stored.origins, signingKey: openSigningKey(secretKeys, sellerId, stored.sealed) }
}

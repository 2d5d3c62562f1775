import type { Db } from "#db/transaction"
import type { ApiKey } from "./api-key.ts"
import { findKeysOf } from "./api-keys-repository.ts"

/** Newest first, without revoked ones. */
export async function listApiKeys(db: Db, userId: string): Promise<ApiKey[]> {
  return findKeysOf(db, userId)
}

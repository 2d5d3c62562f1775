import { type ApiKeyScope, apiKeyScopes } from "@tilinta/contract/vocabulary/api"
import type { Db } from "#db/transaction"
import { newId } from "#kit/ids"
import { hashOfToken, hintOfApiKey, newApiKey } from "#kit/secrets"

interface Wishes {
  scopes?: readonly ApiKeyScope[]
  expiresAt?: Date
}

/** A key with every scope by default, as if its owner had created it long ago. */
export async function insertApiKey(db: Db, userId: string, { scopes = apiKeyScopes, expiresAt }: Wishes = {}) {
  const id = newId()
  const key = newApiKey("test")
  const row = { id, user_id: userId, name: "Loja virtual", hint: hintOfApiKey(key), scopes: [...scopes] }
  const created_at = new Date("2026-01-01T00:00:00Z")
  const used = { last_used_at: created_at, last_used_address: "203.0.113.7" }
  await db
    .insertInto("api_keys")
    .values({ ...row, ...used, token_hash: hashOfToken(key), created_at, expires_at: expiresAt ?? null })
    .execute()
  return { id, key }
}

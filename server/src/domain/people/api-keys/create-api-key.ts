import type { ApiKeyScope } from "@tilinta/contract/vocabulary/api-keys"
import type { Db, Tx } from "#db/transaction"
import { findFrozen } from "#domain/people/freezes/find-frozen"
import { issueNotMeLink } from "#domain/people/freezes/not-me-links"
import { type PasswordProof, provePassword } from "#domain/people/users/prove-password"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import { tellOwner } from "#domain/platform/mails/tell-owner"
import { readMoneyKind } from "#domain/platform/money-kind/read-money-kind"
import { hintOfApiKey, newApiKey } from "#kit/api-key"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import { hashOfToken } from "#kit/secret-token"
import { type ApiKey, MOST_API_KEYS } from "./api-key.ts"
import { apiKeyAuditOf } from "./api-key-audit.ts"
import { findKeysOf, findOwnKey, insertKey, lockKeysOf } from "./api-keys-repository.ts"

interface Wish extends Omit<PasswordProof, "passwordCurrent"> {
  /** Null when the session's step-up is the proof. */
  passwordCurrent: string | null
  name: string
  scopes: readonly ApiKeyScope[]
  expiresAt: Date | null
  idempotencyKey: string | null
}

interface Created {
  /** Null when the request was repeated: the key itself is stored nowhere. */
  key: string | null
  apiKey: ApiKey
}

/** A key outlives the session, so that a stolen session alone can't create one. */
export async function createApiKey(deps: { db: Db; clock: Clock }, wish: Wish): Promise<Created> {
  const { db, clock } = deps
  const now = clock.now()
  const { userId, name, expiresAt } = wish
  if (expiresAt !== null && expiresAt <= now) throw brokenRule("expiresAt", "A validade deve estar no futuro.")
  if (wish.passwordCurrent !== null) await provePassword(deps, { ...wish, passwordCurrent: wish.passwordCurrent })
  if ((await findFrozen(db, [userId])).size > 0) throw new DomainError("api_key_frozen")

  const key = newApiKey((await readMoneyKind(db)) === "real" ? "live" : "test")
  const scopes = [...new Set(wish.scopes)].sort()
  const apiKey = {
    ...{ id: newId(), userId, name, scopes, expiresAt, createdAt: now, hint: hintOfApiKey(key) },
    ...{ lastUsedAt: null, lastUsedAddress: null },
  }
  return db.transaction().execute((tx) => storeKey(tx, { ...wish, key, apiKey }))
}

async function storeKey(
  tx: Tx,
  { key, apiKey, address, idempotencyKey }: Wish & { key: string; apiKey: ApiKey },
): Promise<Created> {
  const { id, userId, name, scopes, expiresAt, hint, createdAt } = apiKey
  await lockKeysOf(tx, userId)
  const request = { apiKey: { name, scopes, expiresAt } }
  const firstId = await claimIdempotencyKey(tx, { ownerId: userId, key: idempotencyKey, request, resourceId: id })
  if (firstId !== id) return { key: null, apiKey: await firstKey(tx, { id: firstId, userId }) }
  if ((await findKeysOf(tx, userId)).length >= MOST_API_KEYS) throw new DomainError("too_many_api_keys")

  await insertKey(tx, apiKey, hashOfToken(key))
  await recordAudit(tx, apiKeyAuditOf("api_key.created", apiKey, { id: userId, address }, createdAt))
  const notice = { kind: "api_key_created", name, hint, scopes, createdAt: createdAt.toISOString(), address } as const
  const notMe = await issueNotMeLink(tx, userId, createdAt)
  await tellOwner(tx, { userId, notice, notMe, dedupeKey: `api-key-created:${id}` }, createdAt)
  return { key, apiKey }
}

async function firstKey(tx: Tx, own: Pick<ApiKey, "id" | "userId">): Promise<ApiKey> {
  const first = await findOwnKey(tx, own)
  if (first === undefined) throw new DomainError("idempotency_key_reused")
  return first
}

import type { ApiKeyScope } from "@tilinta/contract/vocabulary/api"
import type { Db, Tx } from "#db/transaction"
import { publishSessionsEnded } from "#events/events"
import { type Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import { hashOfToken, hintOfApiKey, newApiKey } from "#kit/secrets"
import { findFrozen, issueNotMeLink } from "#people/freezes/freeze"
import { type PasswordProof, provePassword } from "#people/users/passwords"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { whenceOf } from "#platform/mails/mail-content"
import { notifyOwner } from "#platform/mails/notify-owner"
import { findMoneyKind } from "#platform/system/reads"
import { type ApiKey, apiKeyAuditOf, MOST_API_KEYS } from "./rules.ts"
import { findKeysOf, findOwnKey, insertKey, lockKeysOf, markRevoked } from "./table.ts"

interface CreateApiKeyInput {
  owner: Actor
  /** Null when the session's step-up is the proof. */
  proof: PasswordProof | null
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
export async function createApiKey(deps: { db: Db; clock: Clock }, input: CreateApiKeyInput): Promise<Created> {
  const { db, clock } = deps
  const now = clock.now()
  const { owner, proof, name, expiresAt } = input
  const userId = owner.id
  if (expiresAt !== null && expiresAt <= now) throw brokenRule("expiresAt", "A validade deve estar no futuro.")
  if (proof !== null) await provePassword(deps, proof)
  if ((await findFrozen(db, [userId])).size > 0) throw new DomainError("api_key_frozen")

  const key = newApiKey((await findMoneyKind(db)) === "real" ? "live" : "test")
  const scopes = [...new Set(input.scopes)].sort()
  const apiKey = {
    id: newId(),
    userId,
    name,
    scopes,
    expiresAt,
    createdAt: now,
    hint: hintOfApiKey(key),
    lastUsedAt: null,
    lastUsedAddress: null,
  }
  return db.transaction().execute((tx) => storeKey(tx, { ...input, key, apiKey }))
}

async function storeKey(
  tx: Tx,
  { key, apiKey, owner, idempotencyKey }: CreateApiKeyInput & { key: string; apiKey: ApiKey },
): Promise<Created> {
  const { id, userId, name, scopes, expiresAt, hint, createdAt } = apiKey
  await lockKeysOf(tx, userId)
  const request = { apiKey: { name, scopes, expiresAt } }
  const firstId = await claimIdempotencyKey(tx, { ownerId: userId, key: idempotencyKey, request, resourceId: id })
  if (firstId !== id) return { key: null, apiKey: await firstKey(tx, { id: firstId, userId }) }
  if ((await findKeysOf(tx, userId)).length >= MOST_API_KEYS) throw new DomainError("too_many_api_keys")

  await insertKey(tx, apiKey, hashOfToken(key))
  await recordAudit(tx, apiKeyAuditOf("api_key.created", apiKey, owner, createdAt))
  const notice = {
    kind: "api_key_created",
    name,
    hint,
    scopes,
    createdAt: createdAt.toISOString(),
    ...whenceOf(owner),
  } as const
  const notMe = await issueNotMeLink(tx, userId, createdAt)
  await notifyOwner(tx, { userId, notice, notMe, dedupeKey: `api-key-created:${id}` }, createdAt)
  return { key, apiKey }
}

async function firstKey(tx: Tx, own: Pick<ApiKey, "id" | "userId">): Promise<ApiKey> {
  const first = await findOwnKey(tx, own)
  if (first === undefined) throw new DomainError("idempotency_key_reused")
  return first
}

export async function revokeApiKey(
  { db, clock }: { db: Db; clock: Clock },
  { id, owner }: { id: string; owner: Actor },
): Promise<void> {
  const now = clock.now()
  const isRevoked = isId(id) && (await db.transaction().execute((tx) => revoke(tx, { id, owner }, now)))
  if (!isRevoked) throw new DomainError("api_key_not_found")
}

async function revoke(tx: Tx, { id, owner }: { id: string; owner: Actor }, now: Date): Promise<boolean> {
  const revoked = await markRevoked(tx, { id, userId: owner.id, at: now })
  if (revoked === undefined) return false
  // Requests of the key that wait for an event end now.
  await publishSessionsEnded(tx, owner.id)
  await recordAudit(tx, apiKeyAuditOf("api_key.revoked", revoked, owner, now))
  return true
}

/** Newest first, without revoked ones. */
export async function listApiKeys(db: Db, userId: string): Promise<ApiKey[]> {
  return findKeysOf(db, userId)
}

import type { Db, Tx } from "#db/transaction"
import { type PasswordProof, provePassword } from "#domain/people/users/prove-password"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import { readMoneyKind } from "#domain/platform/money-kind/read-money-kind"
import { requireSharedKey } from "#domain/platform/sealing/sealing-key"
import type { Clock } from "#kit/clock"
import { newId } from "#kit/ids"
import type { Sealed, SecretKeys } from "#kit/secret-box"
import { newToken } from "#kit/secret-token"
import { canonicalOrigins } from "./origin-rules.ts"
import type { ReturnOrigins } from "./read-return-origins.ts"
import { lockOriginsOf, updateOrigins } from "./return-origins-repository.ts"
import { openSigningKey, sealSigningKey } from "./signing-key-box.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

interface Wish {
  owner: Actor
  /** Null when the session's step-up is the proof. */
  proof: PasswordProof | null
}

/** Replaces the whole list. A stolen session alone can't send payers elsewhere. */
export async function changeReturnOrigins(
  deps: Deps,
  wish: Wish & { origins: readonly string[] },
): Promise<ReturnOrigins> {
  if (wish.proof !== null) await provePassword(deps, wish.proof)
  const isSandbox = ((await readMoneyKind(deps.db)) ?? "sandbox") === "sandbox"
  const origins = canonicalOrigins(wish.origins, isSandbox)
  const now = deps.clock.now()
  return deps.db.transaction().execute((tx) => storeOrigins(tx, deps, { owner: wish.owner, origins, now }))
}

async function storeOrigins(
  tx: Tx,
  { secretKeys }: Deps,
  { owner, origins, now }: { owner: Actor; origins: string[]; now: Date },
): Promise<ReturnOrigins> {
  await requireSharedKey(tx, secretKeys)
  const sellerId = owner.id
  const before = await lockOriginsOf(tx, { sellerId, sealed: newSealedKey(secretKeys, sellerId), now })
  await updateOrigins(tx, { ...before, origins }, now)
  await recordAudit(tx, {
    actor: owner,
    happenedAt: now,
    action: "return_origins.changed",
    entity: "user",
    entityId: sellerId,
    before: { origins: before.origins.join(", ") },
    after: { origins: origins.join(", ") },
  })
  return { origins, signingKey: openSigningKey(secretKeys, sellerId, before.sealed) }
}

/** Links that were signed with the former key are no longer genuine. The same Idempotency-Key makes one key. */
export async function rotateSigningKey(
  deps: Deps,
  wish: Wish & { idempotencyKey: string | null },
): Promise<ReturnOrigins> {
  if (wish.proof !== null) await provePassword(deps, wish.proof)
  const { owner, idempotencyKey } = wish
  const now = deps.clock.now()
  return deps.db.transaction().execute((tx) => storeNewKey(tx, deps, { owner, idempotencyKey, now }))
}

async function storeNewKey(
  tx: Tx,
  { secretKeys }: Deps,
  { owner, idempotencyKey, now }: { owner: Actor; idempotencyKey: string | null; now: Date },
): Promise<ReturnOrigins> {
  await requireSharedKey(tx, secretKeys)
  const sellerId = owner.id
  const resourceId = newId()
  const request = { rotate: "return-origins" }
  const firstId = await claimIdempotencyKey(tx, { ownerId: sellerId, key: idempotencyKey, request, resourceId })
  const before = await lockOriginsOf(tx, { sellerId, sealed: newSealedKey(secretKeys, sellerId), now })
  const { origins } = before
  if (firstId !== resourceId) return { origins, signingKey: openSigningKey(secretKeys, sellerId, before.sealed) }
  const sealed = newSealedKey(secretKeys, sellerId)
  await updateOrigins(tx, { ...before, sealed }, now)
  await recordAudit(tx, {
    actor: owner,
    happenedAt: now,
    action: "return_origins.key_rotated",
    entity: "user",
    entityId: sellerId,
    before: null,
    after: null,
  })
  return { origins, signingKey: openSigningKey(secretKeys, sellerId, sealed) }
}

/** 256 random bits behind a beginning that secret scanners recognise. */
function newSealedKey(secretKeys: SecretKeys, sellerId: string): Sealed {
  return sealSigningKey(secretKeys, sellerId, `rtk_${newToken()}`)
}

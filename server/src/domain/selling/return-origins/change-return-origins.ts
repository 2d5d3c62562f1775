import type { Db, Tx } from "#db/transaction"
import { type PasswordProof, provePassword } from "#domain/people/users/prove-password"
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

/** The sandbox's calls need no password, as no payer there can be led astray. */
type Proof = Omit<PasswordProof, "passwordCurrent"> & { passwordCurrent: string | null }

/** Replaces the whole list. A stolen session alone can't send payers elsewhere. */
export async function changeReturnOrigins(
  deps: Deps,
  wish: Proof & { origins: readonly string[] },
): Promise<ReturnOrigins> {
  const isSandbox = await proveOwner(deps, wish)
  const origins = canonicalOrigins(wish.origins, isSandbox)
  const now = deps.clock.now()
  return deps.db.transaction().execute((tx) => storeOrigins(tx, deps, { ...wish, origins, now }))
}

/** True in the sandbox. */
async function proveOwner(deps: Deps, { passwordCurrent, ...proof }: Proof): Promise<boolean> {
  const isSandbox = ((await readMoneyKind(deps.db)) ?? "sandbox") === "sandbox"
  if (!isSandbox || passwordCurrent !== null)
    await provePassword(deps, { ...proof, passwordCurrent: passwordCurrent ?? "" })
  return isSandbox
}

async function storeOrigins(
  tx: Tx,
  { secretKeys }: Deps,
  { userId, address, origins, now }: Proof & { origins: string[]; now: Date },
): Promise<ReturnOrigins> {
  await requireSharedKey(tx, secretKeys)
  const before = await lockOriginsOf(tx, { sellerId: userId, sealed: newSealedKey(secretKeys, userId), now })
  await updateOrigins(tx, { ...before, origins }, now)
  await recordAudit(tx, {
    actor: { id: userId, address },
    happenedAt: now,
    action: "return_origins.changed",
    entity: "user",
    entityId: userId,
    before: { origins: before.origins.join(", ") },
    after: { origins: origins.join(", ") },
  })
  return { origins, signingKey: openSigningKey(secretKeys, userId, before.sealed) }
}

/** Links that were signed with the former key are no longer genuine. The same Idempotency-Key makes one key. */
export async function rotateSigningKey(
  deps: Deps,
  wish: Proof & { idempotencyKey: string | null },
): Promise<ReturnOrigins> {
  await proveOwner(deps, wish)
  const now = deps.clock.now()
  return deps.db.transaction().execute((tx) => storeNewKey(tx, deps, { ...wish, now }))
}

async function storeNewKey(
  tx: Tx,
  { secretKeys }: Deps,
  { userId, address, idempotencyKey, now }: Proof & { idempotencyKey: string | null; now: Date },
): Promise<ReturnOrigins> {
  await requireSharedKey(tx, secretKeys)
  const resourceId = newId()
  const request = { rotate: "return-origins" }
  const firstId = await claimIdempotencyKey(tx, { ownerId: userId, key: idempotencyKey, request, resourceId })
  const before = await lockOriginsOf(tx, { sellerId: userId, sealed: newSealedKey(secretKeys, userId), now })
  const { origins } = before
  if (firstId !== resourceId) return { origins, signingKey: openSigningKey(secretKeys, userId, before.sealed) }
  const sealed = newSealedKey(secretKeys, userId)
  await updateOrigins(tx, { ...before, sealed }, now)
  await recordAudit(tx, {
    actor: { id: userId, address },
    happenedAt: now,
    action: "return_origins.key_rotated",
    entity: "user",
    entityId: userId,
    before: null,
    after: null,
  })
  return { origins, signingKey: openSigningKey(secretKeys, userId, sealed) }
}

/** 256 random bits behind a beginning that secret scanners recognise. */
function newSealedKey(secretKeys: SecretKeys, sellerId: string): Sealed {
  return sealSigningKey(secretKeys, sellerId, `rtk_${newToken()}`)
}

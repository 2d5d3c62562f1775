import type { Db, Tx } from "#db/transaction"
import { type PasswordProof, provePassword } from "#domain/people/users/prove-password"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import { readMoneyKind } from "#domain/platform/money-kind/read-money-kind"
import type { Clock } from "#kit/clock"
import { newId } from "#kit/ids"
import { newToken } from "#kit/secret-token"
import { canonicalOrigins } from "./origin-rules.ts"
import { lockOriginsOf, type ReturnOrigins, updateOrigins } from "./return-origins-repository.ts"

interface Deps {
  db: Db
  clock: Clock
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
  return deps.db.transaction().execute((tx) => storeOrigins(tx, { ...wish, origins }, now))
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
  { userId, address, origins }: Proof & { origins: string[] },
  now: Date,
): Promise<ReturnOrigins> {
  const before = await lockOriginsOf(tx, { sellerId: userId, signingKey: newSigningKey(), now })
  const after = { ...before, origins }
  await updateOrigins(tx, after, now)
  await recordAudit(tx, {
    actor: { id: userId, address },
    happenedAt: now,
    action: "return_origins.changed",
    entity: "user",
    entityId: userId,
    before: { origins: before.origins.join(", ") },
    after: { origins: origins.join(", ") },
  })
  return after
}

/** Links that were signed with the former key are no longer genuine. The same Idempotency-Key makes one key. */
export async function rotateSigningKey(
  deps: Deps,
  wish: Proof & { idempotencyKey: string | null },
): Promise<ReturnOrigins> {
  await proveOwner(deps, wish)
  const now = deps.clock.now()
  return deps.db.transaction().execute((tx) => storeNewKey(tx, wish, now))
}

async function storeNewKey(
  tx: Tx,
  { userId, address, idempotencyKey }: Proof & { idempotencyKey: string | null },
  now: Date,
): Promise<ReturnOrigins> {
  const resourceId = newId()
  const request = { rotate: "return-origins" }
  const firstId = await claimIdempotencyKey(tx, { ownerId: userId, key: idempotencyKey, request, resourceId })
  const before = await lockOriginsOf(tx, { sellerId: userId, signingKey: newSigningKey(), now })
  if (firstId !== resourceId) return before
  const after = { ...before, signingKey: newSigningKey() }
  await updateOrigins(tx, after, now)
  await recordAudit(tx, {
    actor: { id: userId, address },
    happenedAt: now,
    action: "return_origins.key_rotated",
    entity: "user",
    entityId: userId,
    before: null,
    after: null,
  })
  return after
}

/** 256 random bits behind a beginning that secret scanners recognise. */
function newSigningKey(): string {
  return `rtk_${newToken()}`
}

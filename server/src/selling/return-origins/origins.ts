import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule } from "#kit/errors"
import { newId } from "#kit/ids"
import { newToken, openSecret, type Sealed, type SecretKeys, sealSecret } from "#kit/secrets"
import { warnOwner } from "#people/freezes/freeze"
import { type PasswordProof, provePassword } from "#people/users/passwords"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { whenceOf } from "#platform/mails/mail-content"
import { findMoneyKind } from "#platform/system/reads"
import { requireSharedKey } from "#platform/system/sealing-key"
import { findOriginsOf, lockOriginsOf, lockSealedOtherwise, saveResealed, updateOrigins } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

interface AddOriginInput {
  owner: Actor
  /** Null when the session's step-up is the proof. */
  proof: PasswordProof | null
}

/** Replaces the whole list. A stolen session alone can't send payers elsewhere. */
export async function changeReturnOrigins(
  deps: Deps,
  input: AddOriginInput & { origins: readonly string[] },
): Promise<ReturnOrigins> {
  if (input.proof !== null) await provePassword(deps, input.proof)
  const isSandbox = ((await findMoneyKind(deps.db)) ?? "sandbox") === "sandbox"
  const origins = canonicalOrigins(input.origins, isSandbox)
  const now = deps.clock.now()
  return deps.db.transaction().execute((tx) => storeOrigins(tx, deps, { owner: input.owner, origins, now }))
}

async function storeOrigins(
  tx: Tx,
  { secretKeys }: Deps,
  { owner, origins, now }: { owner: Actor; origins: string[]; now: Date },
): Promise<ReturnOrigins> {
  await requireSharedKey(tx, secretKeys)
  const sellerId = owner.id
  const { isNew, ...before } = await lockOriginsOf(tx, { sellerId, sealed: newSealedKey(secretKeys, sellerId), now })
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
  if (before.origins.join() !== origins.join()) {
    const facts = { before: before.origins, after: origins, changedAt: now.toISOString(), ...whenceOf(owner) }
    await warnOwner(tx, sellerId, { kind: "return_origins_changed", ...facts }, now)
  }
  return { origins, hasKey: true, signingKey: isNew ? openSigningKey(secretKeys, sellerId, before.sealed) : null }
}

/** Links that were signed with the former key are no longer genuine. The same Idempotency-Key makes one key. */
export async function rotateSigningKey(
  deps: Deps,
  input: AddOriginInput & { idempotencyKey: string | null },
): Promise<ReturnOrigins> {
  if (input.proof !== null) await provePassword(deps, input.proof)
  const { owner, idempotencyKey } = input
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
  if (firstId !== resourceId) return { origins, hasKey: true, signingKey: null }
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
  const facts = { webhookUrl: null, rotatedAt: now.toISOString(), ...whenceOf(owner) }
  await warnOwner(tx, sellerId, { kind: "signing_key_rotated", ...facts }, now)
  return { origins, hasKey: true, signingKey: openSigningKey(secretKeys, sellerId, sealed) }
}

/** 256 random bits behind a beginning that secret scanners recognise. */
function newSealedKey(secretKeys: SecretKeys, sellerId: string): Sealed {
  return sealSigningKey(secretKeys, sellerId, `rtk_${newToken()}`)
}

interface ReturnOrigins {
  origins: string[]
  /** False until the first list is saved. */
  hasKey: boolean
  /** Only in the answer to the request that made it. */
  signingKey: string | null
}

export async function readReturnOrigins(db: Db, sellerId: string): Promise<Omit<ReturnOrigins, "signingKey">> {
  const stored = await findOriginsOf(db, sellerId)
  return { origins: stored?.origins ?? [], hasKey: stored !== null }
}

/** As the sandbox's developers run a shop on their own machine. */
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Origins as `URL` writes them, each once. @throws validation_failed */
function canonicalOrigins(typed: readonly string[], isSandbox: boolean): string[] {
  const origins = typed.map((text, at) => {
    const origin = originOf(text.trim())
    if (origin === null) {
      throw brokenRule(`origins.${at}`, `Informe só o endereço do site, como https://loja.com.br: ${text}`)
    }
    if (origin.startsWith("https:") || (isSandbox && loopback.test(origin))) return origin
    throw brokenRule(`origins.${at}`, notSecure(origin, isSandbox))
  })
  return [...new Set(origins)]
}

function notSecure(origin: string, isSandbox: boolean): string {
  return isSandbox ? `Use https; http só vale para http://localhost: ${origin}` : `Use https: ${origin}`
}

/** Null for whatever is more or less than scheme, host and port. */
function originOf(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null
  const isBare = `${url.origin}/` === url.href && !/[\s\\*]/.test(text)
  return isBare ? url.origin : null
}

export async function resealSigningKeys(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  const old = await lockSealedOtherwise(tx, secretKeys()[0].id)
  for (const { sellerId, sealed } of old) {
    const signingKey = openSigningKey(secretKeys, sellerId, sealed)
    await saveResealed(tx, { sellerId, sealed: sealSigningKey(secretKeys, sellerId, signingKey) })
  }
  return old.length
}

function sealSigningKey(keys: SecretKeys, sellerId: string, signingKey: string): Sealed {
  return sealSecret(keys, signingKey, contextOf(sellerId))
}

export function openSigningKey(keys: SecretKeys, sellerId: string, sealed: Sealed): string {
  return openSecret(keys, sealed, contextOf(sellerId))
}

/** Binds the box to its row. */
function contextOf(sellerId: string): string {
  return `return_origins:${sellerId}`
}

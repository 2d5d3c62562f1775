import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
} from "node:crypto"
import { checkpointText, signedNote } from "@tilinta/contract/proofs/checkpoint"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { invariant } from "#kit/errors"
import { rootOf } from "#kit/merkle"
import { openSecret, type SecretKeys, sealSecret } from "#kit/secrets"
import { findChosenAt } from "#platform/system/reads"
import { requireSharedKey } from "#platform/system/sealing-key"
import {
  findKeys,
  insertKeyOnce,
  lockKeysSealedOtherwise,
  retireKeys,
  type SigningPurpose,
  type StoredKey,
  saveResealed,
} from "./keys-table.ts"
import { hasAuditRecords } from "./reads.ts"
import { saveFirstNote } from "./table.ts"

const purposes: readonly SigningPurpose[] = ["checkpoint", "receipt"]

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

/** Makes the keys at the first start. Of two nodes that start at once one makes them. */
export async function ensureSigningKeys({ db, clock, secretKeys }: Deps): Promise<void> {
  await db.transaction().execute((tx) => makeMissing(tx, secretKeys, clock.now()))
}

async function makeMissing(tx: Tx, secretKeys: SecretKeys, now: Date): Promise<void> {
  for (const purpose of purposes) {
    const keys = await findKeys(tx, purpose)
    if (keys.some(({ retiredAt }) => retiredAt === null)) continue
    await requireSharedKey(tx, secretKeys)
    const key = newKey(secretKeys, purpose, now)
    const isOurs = await insertKeyOnce(tx, key)
    const isFirst = isOurs && purpose === "checkpoint" && keys.length === 0
    if (isFirst && !(await isInUse(tx, now))) await beginChain(tx, secretKeys, key, firstLogNames.byFirstKey)
  }
}

/** The log's name in the checkpoint of the empty chain: the next one has the real name. */
export const firstLogNames = { byFirstKey: "tilinta", byOperator: "tilinta/corrente-nova" } as const

const firstSeconds = 3_600

/**
 * True for an installation that has been at work since its first hour: it had keys, and its chain, if it is empty, was not. A
 * first start that ended at once, and whose next one comes days later, left nothing in between.
 */
export async function isInUse(db: Db, now: Date): Promise<boolean> {
  const chosenAt = await findChosenAt(db)
  if (chosenAt === null) return false
  return hasAuditRecords(db, { from: secondsAfter(chosenAt, firstSeconds), to: secondsAfter(now, -firstSeconds) })
}

/** Signs the empty chain, so that one without a checkpoint is never honest: see seal.ts. */
async function beginChain(tx: Tx, secretKeys: SecretKeys, key: StoredKey, origin: string): Promise<void> {
  const privateKey = openKey(secretKeys, key)
  invariant(privateKey !== null, "a new key can't be opened")
  const text = checkpointText({ origin, size: 0, root: new Uint8Array(rootOf([])) })
  const signature = signBytes(null, Buffer.from(text), privateKey)
  await saveFirstNote(tx, await signedNote(text, { name: origin, publicKey: key.publicKey, signature }))
}

const curve = { kty: "OKP", crv: "Ed25519" } as const

function newKey(secretKeys: SecretKeys, purpose: SigningPurpose, now: Date): StoredKey {
  const { privateKey } = generateKeyPairSync("ed25519")
  const publicKey = publicBytesOf(privateKey)
  const id = idOf(publicKey)
  const sealed = sealSecret(secretKeys, privateTextOf(privateKey), contextOf(id, purpose))
  return { id, purpose, publicKey, sealed, createdAt: now, retiredAt: null }
}

/** Null where the box is none of ours, or holds the key to another public key: somebody put the row there. */
function openKey(secretKeys: SecretKeys, stored: StoredKey): KeyObject | null {
  const { id, purpose, publicKey, sealed } = stored
  if (id !== idOf(publicKey)) return null
  try {
    const d = openSecret(secretKeys, sealed, contextOf(id, purpose))
    const privateKey = createPrivateKey({ key: { ...curve, d, x: publicKey.toString("base64url") }, format: "jwk" })
    return publicBytesOf(privateKey).equals(publicKey) ? privateKey : null
  } catch {
    return null
  }
}

function resealKey(secretKeys: SecretKeys, { id, purpose, sealed }: StoredKey) {
  return sealSecret(secretKeys, openSecret(secretKeys, sealed, contextOf(id, purpose)), contextOf(id, purpose))
}

function idOf(publicKey: Buffer): string {
  return createHash("sha256").update(publicKey).digest("hex").slice(0, 16)
}

function publicBytesOf(privateKey: KeyObject): Buffer {
  return Buffer.from(createPublicKey(privateKey).export({ format: "jwk" }).x ?? "", "base64url")
}

function privateTextOf(privateKey: KeyObject): string {
  return privateKey.export({ format: "jwk" }).d ?? ""
}

/** Binds the box to its row. */
function contextOf(id: string, purpose: SigningPurpose): string {
  return `signing_keys:${purpose}:${id}`
}

interface PublicKey {
  id: string
  /** 32 bytes. */
  publicKey: Buffer
  createdAt: Date
  /** Null for the one that signs. */
  retiredAt: Date | null
}

export interface SigningKeys {
  sign(purpose: SigningPurpose, bytes: Uint8Array): Promise<{ keyId: string; publicKey: Buffer; signature: Buffer }>
  /** Retired ones, too: what they signed stays good. The newest first. `isFresh` sees a rotation of this moment. */
  listPublicKeys(purpose: SigningPurpose, options?: { isFresh?: boolean }): Promise<PublicKey[]>
}

interface OpenedKey extends StoredKey {
  privateKey: KeyObject
}

/** A rotation on another node is seen this long after it; what the retired key signs meanwhile stays good. */
const keptMs = 10_000

export function openSigningKeys({ db, clock, secretKeys }: Deps): SigningKeys {
  const kept = new Map<SigningPurpose, { keys: Promise<OpenedKey[]>; readAt: number }>()

  function keysOf(purpose: SigningPurpose, isFresh = false): Promise<OpenedKey[]> {
    const known = kept.get(purpose)
    const now = clock.now().getTime()
    if (!isFresh && known !== undefined && Math.abs(now - known.readAt) < keptMs) return known.keys
    const keys = readKeys(db, secretKeys, purpose)
    kept.set(purpose, { keys, readAt: now })
    keys.catch(() => kept.delete(purpose))
    return keys
  }

  return {
    async sign(purpose, bytes) {
      const key = (await keysOf(purpose)).find(({ retiredAt }) => retiredAt === null)
      invariant(key !== undefined, `no key signs ${purpose}s: SECRETS_KEY doesn't open it`)
      return { keyId: key.id, publicKey: key.publicKey, signature: signBytes(null, bytes, key.privateKey) }
    },
    async listPublicKeys(purpose, { isFresh } = {}) {
      const keys = await keysOf(purpose, isFresh)
      return keys.map(({ id, publicKey, createdAt, retiredAt }) => ({ id, publicKey, createdAt, retiredAt }))
    },
  }
}

async function readKeys(db: Db, secretKeys: SecretKeys, purpose: SigningPurpose): Promise<OpenedKey[]> {
  return (await findKeys(db, purpose)).flatMap((stored) => {
    const privateKey = openKey(secretKeys, stored)
    return privateKey === null ? [] : [{ ...stored, privateKey }]
  })
}

export async function resealPrivateKeys(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  const old = await lockKeysSealedOtherwise(tx, secretKeys()[0].id)
  for (const stored of old) await saveResealed(tx, stored.id, resealKey(secretKeys, stored))
  return old.length
}

/** The id of the key that signs from now on. What the former one signed stays good: its public key stays published. */
export async function rotateSigningKey(
  deps: Deps,
  purpose: SigningPurpose,
  { beginsChain = false }: RotationOptions = {},
): Promise<string> {
  return deps.db.transaction().execute((tx) => replaceKey(tx, deps, { purpose, beginsChain }))
}

interface RotationOptions {
  /** Signs an empty chain again where the database has no checkpoint any more: an operator's word that this is right. */
  beginsChain?: boolean
}

async function replaceKey(
  tx: Tx,
  { clock, secretKeys }: Deps,
  { purpose, beginsChain }: { purpose: SigningPurpose; beginsChain: boolean },
): Promise<string> {
  await requireSharedKey(tx, secretKeys)
  const key = newKey(secretKeys, purpose, clock.now())
  await retireKeys(tx, purpose, clock.now())
  // A rotation at the same moment may have committed its key meanwhile: that one is retired as well.
  while (!(await insertKeyOnce(tx, key))) await retireKeys(tx, purpose, clock.now())
  if (beginsChain) await beginChain(tx, secretKeys, key, firstLogNames.byOperator)
  return key.id
}

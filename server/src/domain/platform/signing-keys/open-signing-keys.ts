import { type KeyObject, sign as signBytes } from "node:crypto"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { invariant } from "#kit/invariant"
import type { SecretKeys } from "#kit/secret-box"
import { openKey } from "./key-pair.ts"
import { findKeys, type SigningPurpose, type StoredKey } from "./signing-keys-repository.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
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
  /** Retired ones, too: what they signed stays good. The newest first. */
  listPublicKeys(purpose: SigningPurpose): Promise<PublicKey[]>
}

interface OpenedKey extends StoredKey {
  privateKey: KeyObject
}

/** A rotation on another node is seen this long after it; what the retired key signs meanwhile stays good. */
const keptMs = 10_000

export function openSigningKeys({ db, clock, secretKeys }: Deps): SigningKeys {
  const kept = new Map<SigningPurpose, { keys: Promise<OpenedKey[]>; readAt: number }>()

  function keysOf(purpose: SigningPurpose): Promise<OpenedKey[]> {
    const known = kept.get(purpose)
    const now = clock.now().getTime()
    if (known !== undefined && Math.abs(now - known.readAt) < keptMs) return known.keys
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
    async listPublicKeys(purpose) {
      const keys = await keysOf(purpose)
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

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto"
import { openSecret, type SecretKeys, sealSecret } from "#kit/secret-box"
import type { SigningPurpose, StoredKey } from "./signing-keys-repository.ts"

const curve = { kty: "OKP", crv: "Ed25519" } as const

export function newKey(secretKeys: SecretKeys, purpose: SigningPurpose, now: Date): StoredKey {
  const { privateKey } = generateKeyPairSync("ed25519")
  const publicKey = publicBytesOf(privateKey)
  const id = idOf(publicKey)
  const sealed = sealSecret(secretKeys, privateTextOf(privateKey), contextOf(id, purpose))
  return { id, purpose, publicKey, sealed, createdAt: now, retiredAt: null }
}

/** Null where the box is none of ours, or holds the key to another public key: somebody put the row there. */
export function openKey(secretKeys: SecretKeys, stored: StoredKey): KeyObject | null {
  const { id, purpose, publicKey, sealed } = stored
  if (id !== idOf(publicKey)) return null
  try {
    const d = openSecret(secretKeys, sealed, contextOf(id, purpose))
    const privateKey = createPrivateKey({
      key: { ...curve, d, x: publicKey.toString("base64url") },
      format: "jwk",
    })
    return publicBytesOf(privateKey).equals(publicKey) ? privateKey : null
  } catch {
    return null
  }
}

export function resealKey(secretKeys: SecretKeys, { id, purpose, sealed }: StoredKey) {
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

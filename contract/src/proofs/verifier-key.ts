import { areSame, fromBase64, sha256, toBase64, toHex } from "./bytes.ts"

/** The type of signature that C2SP's signed notes give Ed25519. */
const ed25519 = 0x01

export interface VerifierKey {
  name: string
  /** The first bytes of each of its signatures. */
  hash: Uint8Array
  publicKey: Uint8Array<ArrayBuffer>
}

/** A public key as https://c2sp.org/signed-note writes it: `name+hash+base64(type || key)`. */
export async function verifierKey(name: string, publicKey: Uint8Array): Promise<string> {
  const hash = await keyHash(name, publicKey)
  return `${name}+${toHex(hash)}+${toBase64(Uint8Array.of(ed25519, ...publicKey))}`
}

/** Each line a key; lines that are none are left out. */
export async function readVerifierKeys(text: string): Promise<VerifierKey[]> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "")
  return (await Promise.all(lines.map(readKey))).filter((key) => key !== null)
}

async function readKey(line: string): Promise<VerifierKey | null> {
  const [, name, hex, key] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(line.trim()) ?? []
  const bytes = fromBase64(key ?? "")
  if (name === undefined || bytes?.length !== 33 || bytes[0] !== ed25519) return null
  const publicKey = bytes.slice(1)
  const hash = await keyHash(name, publicKey)
  return toHex(hash) === hex ? { name, hash, publicKey } : null
}

/** The first four bytes of SHA-256(name || "\n" || type || key). */
export async function keyHash(name: string, publicKey: Uint8Array): Promise<Uint8Array> {
  const digest = await sha256(new TextEncoder().encode(`${name}\n`), Uint8Array.of(ed25519), publicKey)
  return digest.subarray(0, 4)
}

export async function isSignedBy(key: VerifierKey, text: string, signature: Uint8Array): Promise<boolean> {
  if (signature.length !== 68 || !areSame(signature.subarray(0, 4), key.hash)) return false
  const imported = await crypto.subtle.importKey("raw", key.publicKey, "Ed25519", false, ["verify"])
  return crypto.subtle.verify("Ed25519", imported, signature.slice(4), new TextEncoder().encode(text))
}

import { toBase64, toHex } from "./bytes.ts"

/** The type of signature that C2SP's signed notes give Ed25519. */
const ed25519 = 0x01

/** A public key as https://c2sp.org/signed-note writes it: `name+hash+base64(type || key)`. */
export async function verifierKey(name: string, publicKey: Uint8Array): Promise<string> {
  const hash = await keyHash(name, publicKey)
  return `${name}+${toHex(hash)}+${toBase64(Uint8Array.of(ed25519, ...publicKey))}`
}

/** The first four bytes of SHA-256(name || "\n" || type || key), which each signature line begins with. */
async function keyHash(name: string, publicKey: Uint8Array): Promise<Uint8Array> {
  const named = new TextEncoder().encode(`${name}\n`)
  const digest = await crypto.subtle.digest("SHA-256", Uint8Array.of(...named, ed25519, ...publicKey))
  return new Uint8Array(digest).subarray(0, 4)
}

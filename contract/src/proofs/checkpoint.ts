import { areSame, fromBase64, sha256, toBase64, toHex } from "./tree.ts"

/** How far a tree goes, as https://c2sp.org/tlog-checkpoint writes it. */
export interface Checkpoint {
  /** The name of the log. */
  origin: string
  size: number
  root: Uint8Array<ArrayBuffer>
}

/** The text that is signed. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/** A signed note: the text, an empty line, and the signature's line. */
export async function signedNote(
  text: string,
  { name, publicKey, signature }: { name: string; publicKey: Uint8Array; signature: Uint8Array },
): Promise<string> {
  const hash = await keyHash(name, publicKey)
  return `${text}\n— ${name} ${toBase64(Uint8Array.of(...hash, ...signature))}\n`
}

/** Null unless one of the keys signed it. Lines of other signers are ignored. */
export async function openCheckpoint(note: string, keys: readonly VerifierKey[]): Promise<Checkpoint | null> {
  const end = note.lastIndexOf("\n\n")
  if (end === -1) return null
  const text = note.slice(0, end + 1)
  const lines = note.slice(end + 2).split("\n")
  const checkpoint = readText(text)
  if (checkpoint === null) return null
  for (const line of lines) {
    const [, name, signature] = /^— (\S+) (\S+)$/.exec(line) ?? []
    const bytes = fromBase64(signature ?? "")
    if (bytes === null) continue
    for (const key of keys) {
      const isOwn = key.name === name && key.name === checkpoint.origin
      if (isOwn && (await isSignedBy(key, text, bytes))) return checkpoint
    }
  }
  return null
}

function readText(text: string): Checkpoint | null {
  const [origin, size, root] = text.split("\n")
  const bytes = fromBase64(root ?? "")
  if (origin === undefined || origin === "" || bytes?.length !== 32) return null
  return /^(?:0|[1-9]\d{0,14})$/.test(size ?? "") ? { origin, size: Number(size), root: bytes } : null
}

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
async function keyHash(name: string, publicKey: Uint8Array): Promise<Uint8Array> {
  const digest = await sha256(new TextEncoder().encode(`${name}\n`), Uint8Array.of(ed25519), publicKey)
  return digest.subarray(0, 4)
}

async function isSignedBy(key: VerifierKey, text: string, signature: Uint8Array): Promise<boolean> {
  if (signature.length !== 68 || !areSame(signature.subarray(0, 4), key.hash)) return false
  const imported = await crypto.subtle.importKey("raw", key.publicKey, "Ed25519", false, ["verify"])
  return crypto.subtle.verify("Ed25519", imported, signature.slice(4), new TextEncoder().encode(text))
}

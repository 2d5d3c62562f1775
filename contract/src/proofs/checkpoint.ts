import { fromBase64, toBase64 } from "./bytes.ts"
import { isSignedBy, keyHash, type VerifierKey } from "./verifier-key.ts"

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

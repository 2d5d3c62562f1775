type Hash = Uint8Array<ArrayBuffer>

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)

/** The hash of a leaf in RFC 6962's tree. */
export function leafHash(text: string): Promise<Hash> {
  return sha256(leafPrefix, new TextEncoder().encode(text))
}

function nodeHash(left: Hash, right: Hash): Promise<Hash> {
  return sha256(nodePrefix, left, right)
}

interface LeafPosition {
  index: number
  size: number
}

/** The root that follows from a leaf and its audit path (RFC 9162, section 2.1.3.2); null where the path doesn't fit. */
export async function rootFromAuditPath(
  leaf: Hash,
  { index, size }: LeafPosition,
  path: readonly Hash[],
): Promise<Hash | null> {
  if (!(index >= 0 && index < size)) return null
  let [at, last, hash] = [index, size - 1, leaf]
  for (const sibling of path) {
    if (last === 0) return null
    if (at % 2 === 1 || at === last) {
      hash = await nodeHash(sibling, hash)
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)]
    } else {
      hash = await nodeHash(hash, sibling)
    }
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 ? hash : null
}

interface Tree {
  size: number
  root: Hash
}

/** Whether the larger tree begins with the smaller one (RFC 9162, section 2.1.4.2). */
export async function isConsistent(smaller: Tree, larger: Tree, proof: readonly Hash[]): Promise<boolean> {
  if (smaller.size > larger.size) return false
  if (smaller.size === larger.size) return proof.length === 0 && areSame(smaller.root, larger.root)
  if (smaller.size === 0) return proof.length === 0
  const isPower = Number.isInteger(Math.log2(smaller.size))
  const [start, ...rest] = isPower ? [smaller.root, ...proof] : proof
  if (start === undefined) return false
  let [at, last] = [smaller.size - 1, larger.size - 1]
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  let [first, second] = [start, start]
  for (const node of rest) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      first = await nodeHash(node, first)
      second = await nodeHash(node, second)
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)]
    } else {
      second = await nodeHash(second, node)
    }
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 && areSame(first, smaller.root) && areSame(second, larger.root)
}

interface BlockHeader {
  number: number
  /** Hashes in base64. */
  previous: string
  rowCount: number
  root: string
  sealedAtMs: number
}

/** The bytes that are a leaf of the tree of blocks, as UTF-8: docs/chain.md. */
export function blockHeader({ number, previous, rowCount, root, sealedAtMs }: BlockHeader): string {
  return ["tilinta-block/1", number, previous, rowCount, root, sealedAtMs].map((line) => `${line}\n`).join("")
}

/** Bytes as text and back, in browsers and in Node alike. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
}

/** Null for what is no base64, or not in its only spelling. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
    return toBase64(bytes) === text ? bytes : null
  } catch {
    return null
  }
}

export function areSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

export async function sha256(...chunks: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole))
}

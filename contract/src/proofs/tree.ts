import { areSame, sha256 } from "./bytes.ts"

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

interface Place {
  index: number
  size: number
}

/** The root that follows from a leaf and its audit path (RFC 9162, section 2.1.3.2); null where the path doesn't fit. */
export async function rootFromPath(leaf: Hash, { index, size }: Place, path: readonly Hash[]): Promise<Hash | null> {
  if (!(index >= 0 && index < size)) return null
  let [at, last, hash] = [index, size - 1, leaf]
  for (const neighbour of path) {
    if (last === 0) return null
    if (at % 2 === 1 || at === last) {
      hash = await nodeHash(neighbour, hash)
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)]
    } else {
      hash = await nodeHash(hash, neighbour)
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

import { hash } from "node:crypto"

/** The Merkle tree of RFC 6962: a leaf is hashed after 0x00, a node after 0x01. */
export const hashBytes = 32
const leafPrefix = "\0"
/** The prefix of a node, and space for its children. */
const node = Buffer.alloc(1 + 2 * hashBytes, 1)

/** Asking for a string costs a quarter of asking for a buffer. */
const sha256 = (bytes: Uint8Array | string): Buffer => Buffer.from(hash("sha256", bytes, "binary"), "latin1")

export function leafHash(bytes: Uint8Array | string): Buffer {
  return sha256(typeof bytes === "string" ? leafPrefix + bytes : Buffer.concat([Buffer.from(leafPrefix), bytes]))
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  node.set(left, 1)
  node.set(right, 1 + hashBytes)
  return sha256(node)
}

/** The root over these leaves, which are hashed already. */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256("")
  let row = leaves
  while (row.length > 1) row = levelAbove(row)
  return row[0] as Buffer
}

/** A node without a neighbour moves up as it is: RFC 6962's split at the largest power of two gives the same root. */
function levelAbove(row: readonly Buffer[]): Buffer[] {
  const above: Buffer[] = []
  for (let at = 0; at < row.length; at += 2) {
    const [left, right] = [row[at] as Buffer, row[at + 1]]
    above.push(right === undefined ? left : nodeHash(left, right))
  }
  return above
}

/** The audit path of a leaf, from its neighbour upwards. */
export function auditPathOf(leaves: readonly Buffer[], index: number): Buffer[] {
  const path: Buffer[] = []
  let row = leaves
  for (let at = index; row.length > 1; at >>= 1) {
    const sibling = row[at ^ 1]
    if (sibling !== undefined) path.push(sibling)
    row = levelAbove(row)
  }
  return path
}

/** Reads the root of a complete subtree of 2^level leaves, the index-th of its level. */
type ReadNode = (level: number, index: number) => Buffer

/**
 * The complete subtrees that the leaf of this number ends, itself first: whoever keeps them for each leaf can prove
 * everything, and adding a leaf reads only their left neighbours.
 */
export function nodesCompletedBy(number: number, leaf: Buffer, read: ReadNode): Buffer[] {
  const nodes = [leaf]
  for (let level = 0, index = number; index % 2 === 1; level += 1, index = (index - 1) / 2) {
    nodes.push(nodeHash(read(level, index - 1), nodes[level] as Buffer))
  }
  return nodes
}

/** The leaf that completes a subtree, and so keeps its root. */
export function leafCompleting(level: number, index: number): number {
  return (index + 1) * 2 ** level - 1
}

export function rootAt(size: number, read: ReadNode): Buffer {
  return size === 0 ? rootOf([]) : hashOfRange(0, size, read)
}

/** The proof that a leaf stands in the tree of this size. */
export function inclusionProof(number: number, size: number, read: ReadNode): Buffer[] {
  return inclusionWithin(number, { from: 0, to: size }, read)
}

/** The proof that the tree of one size begins with the tree of a smaller one. */
export function consistencyProof(smaller: number, size: number, read: ReadNode): Buffer[] {
  return smaller === 0 || smaller === size ? [] : consistencyWithin(smaller, { from: 0, to: size, isWhole: true }, read)
}

interface Range {
  from: number
  to: number
}

function inclusionWithin(number: number, { from, to }: Range, read: ReadNode): Buffer[] {
  if (to - from === 1) return []
  const middle = from + splitOf(to - from)
  return number < middle
    ? [...inclusionWithin(number, { from, to: middle }, read), hashOfRange(middle, to, read)]
    : [...inclusionWithin(number, { from: middle, to }, read), hashOfRange(from, middle, read)]
}

function consistencyWithin(smaller: number, range: Range & { isWhole: boolean }, read: ReadNode): Buffer[] {
  const { from, to, isWhole } = range
  if (smaller === to) return isWhole ? [] : [hashOfRange(from, to, read)]
  const middle = from + splitOf(to - from)
  return smaller <= middle
    ? [...consistencyWithin(smaller, { from, to: middle, isWhole }, read), hashOfRange(middle, to, read)]
    : [...consistencyWithin(smaller, { from: middle, to, isWhole: false }, read), hashOfRange(from, middle, read)]
}

function hashOfRange(from: number, to: number, read: ReadNode): Buffer {
  const count = to - from
  const level = Math.log2(count)
  if (Number.isInteger(level)) return read(level, from / count)
  const middle = from + splitOf(count)
  return nodeHash(hashOfRange(from, middle, read), hashOfRange(middle, to, read))
}

/** The largest power of two below the count. */
function splitOf(count: number): number {
  return 2 ** (Math.ceil(Math.log2(count)) - 1)
}

import type { Checkpoint } from "@tilinta/contract/proofs/checkpoint"
import { blockHeader } from "@tilinta/contract/proofs/tree"
import type { Db } from "#db/transaction"
import { invariant } from "#kit/errors"
import {
  consistencyProof,
  hashBytes,
  inclusionProof,
  leafCompleting,
  leafHash,
  nodesCompletedBy,
  rootAt,
  rootOf,
} from "#kit/merkle"
import { type Block, findNodes } from "./reads.ts"
import { tableOf, type UnsealedRows } from "./sealed-rows-reads.ts"
import type { NewBlock } from "./table.ts"

export const emptyHash = Buffer.alloc(hashBytes)

/** A size of the tree and the root that was signed for it. */
export interface SignedRoot extends Pick<Checkpoint, "size"> {
  root: Uint8Array
  /** Its origin, for people. */
  name: string
}

/** The header is what a block's hash says: its number, the block before it, its rows and when they were sealed. */
export function headerOf({
  number,
  previous,
  root,
  rowCount,
  sealedAt,
}: Pick<Block, "number" | "previous" | "root" | "rowCount" | "sealedAt">): string {
  return blockHeader({
    number,
    previous: previous.toString("base64"),
    rowCount,
    root: root.toString("base64"),
    sealedAtMs: sealedAt.getTime(),
  })
}

export function splitHashes(hashes: Buffer): Buffer[] {
  return Array.from({ length: hashes.length / hashBytes }, (_, at) =>
    hashes.subarray(at * hashBytes, (at + 1) * hashBytes),
  )
}

/** Reads nodes of the tree from those that each block stores: the subtrees that it completes. */
export function nodeReader(storedNodes: ReadonlyMap<number, Buffer>) {
  return (level: number, index: number): Buffer => {
    const node = storedNodes.get(leafCompleting(level, index))?.subarray(level * hashBytes, (level + 1) * hashBytes)
    invariant(
      node?.length === hashBytes,
      `block ${leafCompleting(level, index)} doesn't store its node of level ${level}`,
    )
    return node
  }
}

/** The blocks that store the left siblings on the way from this block to the root: a new block needs their nodes. */
export function leftSiblingsOf(number: number): number[] {
  const blocks: number[] = []
  for (let level = 0, index = number; index % 2 === 1; level += 1, index = (index - 1) / 2) {
    blocks.push(leafCompleting(level, index - 1))
  }
  return blocks
}

interface NewBlockInput {
  number: number
  rows: UnsealedRows
  /** The nodes of the block before it and of its left siblings. */
  storedNodes: ReadonlyMap<number, Buffer>
  now: Date
}

export function makeBlock({ number, rows, storedNodes, now }: NewBlockInput): NewBlock {
  const read = nodeReader(storedNodes)
  const block = {
    ...rows,
    number,
    sealedAt: now,
    previous: number === 0 ? emptyHash : (storedNodes.get(number - 1)?.subarray(0, hashBytes) ?? emptyHash),
    root: rootOf(splitHashes(rows.hashes)),
  }
  return { ...block, nodes: Buffer.concat(nodesCompletedBy(number, leafHash(headerOf(block)), read)) }
}

/** The origin of the log: an address without its scheme, as C2SP's checkpoints name it. */
export function logNameOf(publicUrl: string): string {
  return `${new URL(publicUrl).host}/tilinta`
}

/** The number of blocks that a note of ours says. */
export function sizeOf(note: string): number {
  return Number(note.split("\n")[1])
}

/** A row's table and primary key, and for a posting its transaction. */
export function nameRow(key: string): string {
  const table = tableOf(key)
  const id = key.slice(2)
  if (table === null) return `linha desconhecida (${key})`
  if (table === "chain_checkpoints") return `chain_checkpoints day=${id}`
  if (table === "payments") return `payments end_to_end_id=${id} (transação payment ${id})`
  if (table !== "journal") return `${table} id=${id}`
  const [, kind, reference, line] = /^([^/]+)\/(.*)\/(\d+)$/s.exec(id) ?? []
  return `journal kind=${kind} reference=${reference} line=${line} (transação ${kind} ${reference})`
}

type ReadNode = (level: number, index: number) => Buffer

/** Reads the nodes that a proof needs by one statement: which ones depends on numbers alone, so `prove` first runs without them. */
async function withNodes<Proof>(db: Db, prove: (read: ReadNode) => Proof): Promise<Proof> {
  const keepers = new Set<number>()
  prove((level, index) => {
    keepers.add(leafCompleting(level, index))
    return Buffer.alloc(hashBytes)
  })
  return prove(nodeReader(await findNodes(db, [...keepers])))
}

export function readRoot(db: Db, size: number): Promise<Buffer> {
  return withNodes(db, (read) => rootAt(size, read))
}

/** The audit paths of blocks in the tree of this size, in the order of the numbers. */
export function readInclusionProofs(db: Db, numbers: readonly number[], size: number): Promise<Buffer[][]> {
  return withNodes(db, (read) => numbers.map((number) => inclusionProof(number, size, read)))
}

/** The proofs that the tree of this size begins with each of the smaller trees. */
export function readConsistencyProofs(db: Db, smaller: readonly number[], size: number): Promise<Buffer[][]> {
  return withNodes(db, (read) => smaller.map((each) => consistencyProof(each, size, read)))
}

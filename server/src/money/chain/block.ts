import type { Checkpoint } from "@tilinta/contract/proofs/checkpoint"
import { blockHeader } from "@tilinta/contract/proofs/tree"
import type { Db } from "#db/transaction"
import { invariant } from "#kit/errors"
import {
  consistencyBetween,
  hashBytes,
  inclusionAt,
  keeperOf,
  leafHash,
  nodesEndedBy,
  rootAt,
  rootOf,
} from "#kit/merkle"
import { type Block, findNodes } from "./reads.ts"
import { tableOf, type UnsealedRows } from "./sealed-rows-reads.ts"
import type { NewBlock } from "./table.ts"

export const noBlock = Buffer.alloc(hashBytes)

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

export function hashesOf(hashes: Buffer): Buffer[] {
  return Array.from({ length: hashes.length / hashBytes }, (_, at) =>
    hashes.subarray(at * hashBytes, (at + 1) * hashBytes),
  )
}

/** Reads nodes out of what blocks keep. */
export function nodeReader(kept: ReadonlyMap<number, Buffer>) {
  return (level: number, index: number): Buffer => {
    const node = kept.get(keeperOf(level, index))?.subarray(level * hashBytes, (level + 1) * hashBytes)
    invariant(node?.length === hashBytes, `block ${keeperOf(level, index)} doesn't keep its node of level ${level}`)
    return node
  }
}

/** The blocks whose nodes a new block of this number needs: its left neighbours. */
export function neighboursOf(number: number): number[] {
  const blocks: number[] = []
  for (let level = 0, index = number; index % 2 === 1; level += 1, index = (index - 1) / 2) {
    blocks.push(keeperOf(level, index - 1))
  }
  return blocks
}

interface Making {
  number: number
  rows: UnsealedRows
  /** The nodes of the block before it and of its left neighbours. */
  kept: ReadonlyMap<number, Buffer>
  now: Date
}

export function makeBlock({ number, rows, kept, now }: Making): NewBlock {
  const read = nodeReader(kept)
  const block = {
    ...rows,
    number,
    sealedAt: now,
    previous: number === 0 ? noBlock : (kept.get(number - 1)?.subarray(0, hashBytes) ?? noBlock),
    root: rootOf(hashesOf(rows.hashes)),
  }
  return { ...block, nodes: Buffer.concat(nodesEndedBy(number, leafHash(headerOf(block)), read)) }
}

/** The origin of the log: an address without its scheme, as C2SP's checkpoints name it. */
export function logNameOf(publicUrl: string): string {
  return `${new URL(publicUrl).host}/tilinta`
}

/** A row's table and primary key, and for a posting its transaction. */
export function nameRow(key: string): string {
  const table = tableOf(key)
  const id = key.slice(2)
  if (table === null) return `linha desconhecida (${key})`
  if (table === "payments") return `payments end_to_end_id=${id} (transação payment ${id})`
  if (table !== "journal") return `${table} id=${id}`
  const [, kind, reference, line] = /^([^/]+)\/(.*)\/(\d+)$/s.exec(id) ?? []
  return `journal kind=${kind} reference=${reference} line=${line} (transação ${kind} ${reference})`
}

type ReadNode = (level: number, index: number) => Buffer

/** Reads the nodes that a proof needs by one statement: which ones depends on numbers alone, so it is asked twice. */
async function withNodes<Proof>(db: Db, prove: (read: ReadNode) => Proof): Promise<Proof> {
  const keepers = new Set<number>()
  prove((level, index) => {
    keepers.add(keeperOf(level, index))
    return Buffer.alloc(hashBytes)
  })
  return prove(nodeReader(await findNodes(db, [...keepers])))
}

export function readRoot(db: Db, size: number): Promise<Buffer> {
  return withNodes(db, (read) => rootAt(size, read))
}

/** The paths of blocks in the tree of this size, in the order of the numbers. */
export function readInclusions(db: Db, numbers: readonly number[], size: number): Promise<Buffer[][]> {
  return withNodes(db, (read) => numbers.map((number) => inclusionAt(number, size, read)))
}

/** The links of these smaller sizes with one. */
export function readLinks(db: Db, smaller: readonly number[], size: number): Promise<Buffer[][]> {
  return withNodes(db, (read) => smaller.map((each) => consistencyBetween(each, size, read)))
}

export function readConsistency(db: Db, smaller: number, size: number): Promise<Buffer[]> {
  return withNodes(db, (read) => consistencyBetween(smaller, size, read))
}

export interface SignedSize extends Pick<Checkpoint, "size"> {
  root: Uint8Array
  /** Its origin, for people. */
  name: string
}

import { blockHeader } from "@tilinta/contract/proofs/block-header"
import { invariant } from "#kit/invariant"
import { hashBytes, keeperOf, leafHash, nodesEndedBy, rootOf } from "#kit/merkle"
import type { Block, NewBlock } from "./chain-repository.ts"
import type { UnsealedRows } from "./sealed-rows-repository.ts"

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

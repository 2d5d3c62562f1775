import { blockHeader } from "@tilinta/contract/proofs/block-header"
import { invariant } from "#kit/invariant"
import { hashBytes, keeperOf, leafHash, nodesEndedBy, rootOf } from "#kit/merkle"
import type { Block } from "./chain-repository.ts"
import { isBooking, type SealedRow } from "./sealed-rows-repository.ts"

export const noBlock = Buffer.alloc(hashBytes)

/** The header is what a block's hash says: its number, the block before it, its rows and when they were sealed. */
export function headerOf({ number, previous, root, rowCount, sealedAt }: Omit<Block, "nodes">): string {
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
  rows: readonly SealedRow[]
  /** The nodes of the block before it and of its left neighbours. */
  kept: ReadonlyMap<number, Buffer>
  now: Date
}

export function makeBlock({ number, rows, kept, now }: Making): Block {
  const read = nodeReader(kept)
  const leaves = rows.map(({ text }) => leafHash(text))
  const bookings = rows.filter(isBooking).map(({ writtenAt }) => writtenAt.getTime())
  const [first, last] = bookings.reduce(
    ([least, most], moment) => [Math.min(least, moment), Math.max(most, moment)] as const,
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const,
  )
  const block = {
    number,
    sealedAt: now,
    rowCount: rows.length,
    previous: number === 0 ? noBlock : (kept.get(number - 1)?.subarray(0, hashBytes) ?? noBlock),
    root: rootOf(leaves),
    keys: rows.map(({ key }) => key),
    hashes: Buffer.concat(leaves),
    firstAt: bookings.length === 0 ? null : new Date(first),
    // Dates count milliseconds, the database microseconds: the last moment is rounded up.
    lastAt: bookings.length === 0 ? null : new Date(last + 1),
  }
  return { ...block, nodes: Buffer.concat(nodesEndedBy(number, leafHash(headerOf(block)), read)) }
}

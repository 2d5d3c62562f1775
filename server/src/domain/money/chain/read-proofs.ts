import type { Db } from "#db/transaction"
import { consistencyBetween, hashBytes, inclusionAt, keeperOf, rootAt } from "#kit/merkle"
import { nodeReader } from "./block.ts"
import { findNodes } from "./chain-repository.ts"

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

import type { Checkpoint } from "@tilinta/contract/proofs/checkpoint"
import type { Db } from "#db/transaction"
import { hashBytes, keeperOf, leafHash, nodesEndedBy, rootAt, rootOf } from "#kit/merkle"
import type { LedgerDifference } from "#ledger/verify-ledger"
import { hashesOf, headerOf, noBlock, nodeReader } from "./block.ts"
import { type Block, type Head, readBlocks, readHead } from "./chain-repository.ts"
import { findInserted } from "./find-inserted.ts"
import { nameRow } from "./name-row.ts"
import { countSealedRows, readRows } from "./sealed-rows-repository.ts"

export interface SignedSize extends Pick<Checkpoint, "size"> {
  root: Uint8Array
  /** Its origin, for people. */
  name: string
}

interface Wish {
  /** Sizes and roots that were signed: the chain must have been so. */
  checkpoints: readonly SignedSize[]
  onProgress?: (done: number, all: number) => void
}

export interface VerifiedChain {
  blocks: number
  rows: number
  differences: LedgerDifference[]
}

const BLOCKS_AT_ONCE = 20
/** More are counted and not listed. */
const MOST_DIFFERENCES = 10_000

/** Compares every sealed row with its block, and every block with the next one and with what was signed. */
export async function verifyChain(db: Db, { checkpoints, onProgress }: Wish): Promise<VerifiedChain> {
  const head = await readHead(db)
  const state = startAt(checkpoints)
  for (let from = 0; from < head.blockCount; from += BLOCKS_AT_ONCE) {
    const to = Math.min(from + BLOCKS_AT_ONCE, head.blockCount)
    const blocks = await readBlocks(db, { from, to })
    verifyBlocks(state, blocks, { from, to })
    await verifyRows(db, state, blocks)
    onProgress?.(to, head.blockCount)
  }
  missCheckpoints(state)
  await verifyInserted(db, state, head)
  return { blocks: head.blockCount, rows: state.found, differences: state.differences }
}

interface State {
  differences: LedgerDifference[]
  /** Sealed rows that are there. */
  found: number
  /** The nodes that the next block's path upwards needs, as computed and not as stored. */
  kept: Map<number, Buffer>
  previous: Buffer
  signed: Map<number, SignedSize[]>
}

function startAt(checkpoints: readonly SignedSize[]): State {
  const signed = Map.groupBy(checkpoints, ({ size }) => size)
  const state = { differences: [], found: 0, kept: new Map(), previous: noBlock, signed }
  compareSigned(state, 0)
  return state
}

function differ(state: State, what: string, expected: string, found: string): void {
  if (state.differences.length < MOST_DIFFERENCES) state.differences.push({ what, expected, found })
}

function verifyBlocks(state: State, blocks: readonly Block[], { from, to }: { from: number; to: number }): void {
  const byNumber = new Map(blocks.map((block) => [block.number, block]))
  for (let number = from; number < to; number += 1) {
    const block = byNumber.get(number)
    if (block === undefined) differ(state, `bloco ${number} da corrente`, "selado", "ausente")
    verifyBlock(state, number, block)
  }
}

/** A block that is missing is replaced by an empty hash: what follows it is compared all the same. */
function verifyBlock(state: State, number: number, block: Block | undefined): void {
  const hash = block === undefined ? noBlock : leafHash(headerOf(block))
  const nodes = nodesEndedBy(number, hash, nodeReader(state.kept))
  if (block !== undefined) {
    const root = rootOf(hashesOf(block.hashes))
    if (!root.equals(block.root)) {
      differ(state, `bloco ${number} da corrente: ordem ou resumos das linhas`, hex(block.root), hex(root))
    }
    if (!block.previous.equals(state.previous)) {
      differ(state, `bloco ${number} da corrente: bloco anterior`, hex(state.previous), hex(block.previous))
    }
    const computed = Buffer.concat(nodes)
    if (!computed.equals(block.nodes)) {
      differ(state, `bloco ${number} da corrente: cabeçalho`, hex(block.nodes), hex(computed))
    }
  }
  state.kept.set(number, Buffer.concat(nodes))
  forgetCompleted(state.kept, number)
  state.previous = hash
  compareSigned(state, number + 1)
}

/** Keeps only what later paths need: one block for each level. */
function forgetCompleted(kept: Map<number, Buffer>, number: number): void {
  for (let level = 0, index = number; index % 2 === 1; level += 1, index = (index - 1) / 2) {
    kept.delete(keeperOf(level, index - 1))
  }
}

function compareSigned(state: State, size: number): void {
  const signed = state.signed.get(size)
  if (signed === undefined) return
  state.signed.delete(size)
  const root = rootAt(size, nodeReader(state.kept))
  for (const { name, root: expected } of signed) {
    if (!root.equals(expected)) differ(state, `${name}: raiz da corrente com ${size} blocos`, hex(expected), hex(root))
  }
}

function missCheckpoints({ signed, ...state }: State): void {
  for (const { name, size } of [...signed.values()].flat()) {
    differ({ ...state, signed }, `${name}: blocos da corrente`, `pelo menos ${size}`, "menos")
  }
}

async function verifyRows(db: Db, state: State, blocks: readonly Block[]): Promise<void> {
  const rows = await readRows(
    db,
    blocks.flatMap(({ keys }) => keys),
  )
  const hashes = new Map(rows.map(({ key, text }) => [key, leafHash(text)]))
  for (const { number, keys, hashes: sealed } of blocks) {
    const places = new Map(hashesOf(sealed).map((hash, at) => [hex(hash), at]))
    keys.forEach((key, at) => {
      const expected = sealed.subarray(at * hashBytes, (at + 1) * hashBytes)
      const now = hashes.get(key)
      if (now !== undefined) state.found += 1
      if (now?.equals(expected) === true) return
      const place = `bloco ${number}, linha ${at + 1}`
      if (now === undefined)
        differ(state, `${nameRow(key)}: removido depois de selado (${place})`, hex(expected), "ausente")
      else if (places.has(hex(now)))
        differ(state, `${nameRow(key)}: fora da ordem em que foi selado (${place})`, hex(expected), hex(now))
      else differ(state, `${nameRow(key)}: alterado depois de selado (${place})`, hex(expected), hex(now))
    })
  }
}

/** Counts first: rows are only looked up one by one where there are more than were sealed. */
async function verifyInserted(db: Db, state: State, { until, blockCount }: Head): Promise<void> {
  if ((await countSealedRows(db, until)) === state.found) return
  for await (const key of findInserted(db, { until, blockCount })) {
    differ(
      state,
      `${nameRow(key)}: inserido com a data de outra transação`,
      "nenhuma linha",
      "linha que nunca foi selada",
    )
  }
}

function hex(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex").slice(0, 32)
}

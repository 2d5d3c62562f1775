import type { Db } from "#db/transaction"
import { leafCompleting, leafHash, nodesCompletedBy, rootAt, rootOf } from "#kit/merkle"
import type { LedgerDifference } from "#ledger/reads"
import { emptyHash, headerOf, nameRow, nodeReader, type SignedRoot, splitHashes } from "./block.ts"
import { findInserted } from "./prove.ts"
import { type Block, type ChainHead, findSealedTwice, readBlocks, readHead } from "./reads.ts"
import { countSealedRows, findOldUnsealed, type PresentRow, readRows } from "./sealed-rows-reads.ts"

interface VerifyChainInput {
  /** Sizes and roots that were signed: the chain must have been so. */
  checkpoints: readonly SignedRoot[]
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
/** Rows are written within seconds of their date; servers' clocks and long transactions need less than this. */
const LATE_SECONDS = 3_600

/** Compares every sealed row with its block, and every block with the next one and with what was signed. */
export async function verifyChain(db: Db, { checkpoints, onProgress }: VerifyChainInput): Promise<VerifiedChain> {
  const head = await readHead(db)
  const state = startAt(checkpoints)
  let lastKey: string | undefined
  for (let from = 0; from < head.blockCount; from += BLOCKS_AT_ONCE) {
    const to = Math.min(from + BLOCKS_AT_ONCE, head.blockCount)
    const blocks = await readBlocks(db, { from, to })
    verifyBlocks(state, blocks, { from, to })
    await verifyRows(db, state, { blocks, until: BigInt(head.until) })
    lastKey = blocks.at(-1)?.keys.at(-1)
    onProgress?.(to, head.blockCount)
  }
  verifyHead(state, head, lastKey)
  reportUnreachedCheckpoints(state)
  await verifyInserted(db, state, head)
  await verifyUnsealed(db, state, head)
  return { blocks: head.blockCount, rows: state.found, differences: state.differences }
}

interface State {
  differences: LedgerDifference[]
  /** Sealed rows that are there. */
  found: number
  /** Those of them that are of a transaction that is sealed. */
  foundSealed: number
  /** The newest transaction of the sealed rows so far: they were sealed in this order. */
  reachedXid: bigint
  /** The last row of the blocks so far, whose transaction is compared with the next row's. */
  pending: Placed | null
  /** The moment that the sealed rows have reached, never after their sealing: a clock that was ahead is forgotten so. */
  reachedMs: number
  /** The nodes that the next block's path upwards needs, as computed and not as stored. */
  storedNodes: Map<number, Buffer>
  previous: Buffer
  signed: Map<number, SignedRoot[]>
}

function startAt(checkpoints: readonly SignedRoot[]): State {
  const signed = Map.groupBy(checkpoints, ({ size }) => size)
  const found = { found: 0, foundSealed: 0, reachedXid: -1n, pending: null, reachedMs: Number.NEGATIVE_INFINITY }
  const state = { differences: [], ...found, storedNodes: new Map(), previous: emptyHash, signed }
  compareSigned(state, 0)
  return state
}

function addDifference(state: State, what: string, expected: string, found: string): void {
  if (state.differences.length < MOST_DIFFERENCES) state.differences.push({ what, expected, found })
}

function verifyBlocks(state: State, blocks: readonly Block[], { from, to }: { from: number; to: number }): void {
  const byNumber = new Map(blocks.map((block) => [block.number, block]))
  for (let number = from; number < to; number += 1) {
    const block = byNumber.get(number)
    if (block === undefined) addDifference(state, `bloco ${number} da corrente`, "selado", "ausente")
    verifyBlock(state, number, block)
  }
}

/** A block that is missing is replaced by an empty hash: what follows it is compared all the same. */
function verifyBlock(state: State, number: number, block: Block | undefined): void {
  const hash = block === undefined ? emptyHash : leafHash(headerOf(block))
  const nodes = nodesCompletedBy(number, hash, nodeReader(state.storedNodes))
  if (block !== undefined) {
    const root = rootOf(splitHashes(block.hashes))
    if (!root.equals(block.root)) {
      addDifference(state, `bloco ${number} da corrente: ordem ou resumos das linhas`, hex(block.root), hex(root))
    }
    if (!block.previous.equals(state.previous)) {
      addDifference(state, `bloco ${number} da corrente: bloco anterior`, hex(state.previous), hex(block.previous))
    }
    const computed = Buffer.concat(nodes)
    if (!computed.equals(block.nodes)) {
      addDifference(state, `bloco ${number} da corrente: cabeçalho`, hex(block.nodes), hex(computed))
    }
  }
  state.storedNodes.set(number, Buffer.concat(nodes))
  forgetCompleted(state.storedNodes, number)
  state.previous = hash
  compareSigned(state, number + 1)
}

/** Keeps only what later paths need: one block for each level. */
function forgetCompleted(storedNodes: Map<number, Buffer>, number: number): void {
  for (let level = 0, index = number; index % 2 === 1; level += 1, index = (index - 1) / 2) {
    storedNodes.delete(leafCompleting(level, index - 1))
  }
}

function compareSigned(state: State, size: number): void {
  const signed = state.signed.get(size)
  if (signed === undefined) return
  state.signed.delete(size)
  const root = rootAt(size, nodeReader(state.storedNodes))
  for (const { name, root: expected } of signed) {
    if (!root.equals(expected))
      addDifference(state, `${name}: raiz da corrente com ${size} blocos`, hex(expected), hex(root))
  }
}

function reportUnreachedCheckpoints({ signed, ...state }: State): void {
  for (const { name, size } of [...signed.values()].flat()) {
    addDifference({ ...state, signed }, `${name}: blocos da corrente`, `pelo menos ${size}`, "menos")
  }
}

interface Placed {
  row: PresentRow
  place: string
}

interface Sealed {
  blocks: readonly Block[]
  /** The last transaction that is sealed. */
  until: bigint
}

async function verifyRows(db: Db, state: State, { blocks, until }: Sealed): Promise<void> {
  const rows = await readRows(
    db,
    blocks.flatMap(({ keys }) => keys),
  )
  const present = new Map(rows.map((row) => [row.key, { row, hash: leafHash(row.text) }]))
  const inOrder: Placed[] = []
  for (const block of blocks) {
    const sealed = splitHashes(block.hashes)
    const isElsewhere = inHashes(sealed)
    const genuine = block.keys.flatMap((key, at) => {
      const expected = sealed[at] ?? emptyHash
      const found = present.get(key)
      const place = `bloco ${block.number}, linha ${at + 1}`
      if (found !== undefined && countFound(state, found.row, { until, place })) inOrder.push({ row: found.row, place })
      if (found?.hash.equals(expected) === true) return [{ row: found.row, place }]
      const name = nameRow(key)
      if (found === undefined)
        addDifference(state, `${name}: removido depois de selado (${place})`, hex(expected), "ausente")
      else if (isElsewhere(found.hash))
        addDifference(state, `${name}: fora da ordem em que foi selado (${place})`, hex(expected), hex(found.hash))
      else addDifference(state, `${name}: alterado depois de selado (${place})`, hex(expected), hex(found.hash))
      return []
    })
    verifyDates(state, genuine, block.sealedAt.getTime())
  }
  verifyTransactions(state, inOrder)
}

/** Rows are sealed in the order of their transactions: one that stands elsewhere was given another's. */
function verifyTransactions(state: State, rows: readonly Placed[]): void {
  for (const next of rows) {
    const { pending } = state
    state.pending = next
    if (pending !== null) compareTransactions(state, pending, BigInt(next.row.xid))
  }
}

function compareTransactions(state: State, { row, place }: Placed, nextXid: bigint | null): void {
  const xid = BigInt(row.xid)
  const isBehind = xid < state.reachedXid
  const isAhead = nextXid !== null && nextXid < xid && nextXid >= state.reachedXid
  if (isBehind || isAhead) {
    const what = `${nameRow(row.key)}: passou a outra transação depois de selado (${place})`
    addDifference(state, what, `entre ${state.reachedXid} e ${nextXid ?? "a última"}`, row.xid)
  } else state.reachedXid = xid
}

/** The head says how far rows are sealed: beyond the last sealed row, others would never be. */
function verifyHead(state: State, { until, blockCount }: ChainHead, lastKey: string | undefined): void {
  const { pending } = state
  if (pending !== null) compareTransactions(state, pending, null)
  const isLastThere = blockCount === 0 || (pending !== null && pending.row.key === lastKey)
  const last = state.reachedXid < 0n ? 0n : state.reachedXid
  if (isLastThere && BigInt(until) > last)
    addDifference(state, "corrente: última transação selada", String(last), until)
}

function inHashes(hashes: readonly Buffer[]): (hash: Buffer) => boolean {
  let places: Set<string> | undefined
  return (hash) => {
    places ??= new Set(hashes.map(hex))
    return places.has(hex(hash))
  }
}

/**
 * A row whose transaction was replaced by a later one would be sealed again, and hide another one in the count. False for
 * such a one.
 */
function countFound(
  state: State,
  { key, xid }: PresentRow,
  { until, place }: { until: bigint; place: string },
): boolean {
  state.found += 1
  const isSealed = BigInt(xid) <= until
  if (isSealed) state.foundSealed += 1
  else
    addDifference(state, `${nameRow(key)}: passou a outra transação depois de selado (${place})`, `até ${until}`, xid)
  return isSealed
}

/** Rows are sealed in the order of their transactions, so one that is much older than those before it was dated back. */
function verifyDates(state: State, rows: readonly { row: PresentRow; place: string }[], sealedAtMs: number): void {
  const sinceMs = Math.min(state.reachedMs, sealedAtMs) - LATE_SECONDS * 1000
  let newestMs = state.reachedMs
  for (const { row, place } of rows) {
    if (row.writtenAt === null) continue
    const writtenMs = row.writtenAt.getTime()
    if (writtenMs < sinceMs) addDateDifference(state, { ...row, writtenAt: row.writtenAt }, { sinceMs, place })
    else newestMs = Math.max(newestMs, writtenMs)
  }
  state.reachedMs = Math.min(newestMs, sealedAtMs)
}

function addDateDifference(
  state: State,
  { key, writtenAt }: { key: string; writtenAt: Date },
  { sinceMs, place }: { sinceMs: number; place: string },
): void {
  const what = `${nameRow(key)}: datado muito antes das linhas seladas antes dele (${place})`
  addDifference(state, what, `desde ${new Date(sinceMs).toISOString()}`, writtenAt.toISOString())
}

/** Counts first: rows are only looked up one by one where there are others than were sealed. */
async function verifyInserted(db: Db, state: State, { until, blockCount }: ChainHead): Promise<void> {
  const twice = await findSealedTwice(db, { blockCount, limit: MOST_DIFFERENCES })
  for (const { key, numbers } of twice) {
    addDifference(state, `${nameRow(key)}: selado mais de uma vez`, "em um bloco", `nos blocos ${numbers}`)
  }
  if (twice.length === 0 && (await countSealedRows(db, until)) === state.foundSealed) return
  for await (const key of findInserted(db, { until, blockCount })) {
    addDifference(
      state,
      `${nameRow(key)}: inserido com a data de outra transação`,
      "nenhuma linha",
      "linha que nunca foi selada",
    )
  }
}

/** Rows of the last seconds, which no block holds yet. */
async function verifyUnsealed(db: Db, state: State, { until }: ChainHead): Promise<void> {
  if (state.reachedMs === Number.NEGATIVE_INFINITY) return
  const sinceMs = state.reachedMs - LATE_SECONDS * 1000
  const query = { until, before: new Date(sinceMs), recentSeconds: LATE_SECONDS, limit: MOST_DIFFERENCES }
  for (const row of await findOldUnsealed(db, query))
    addDateDifference(state, row, { sinceMs, place: "ainda não selado" })
}

function hex(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex").slice(0, 32)
}

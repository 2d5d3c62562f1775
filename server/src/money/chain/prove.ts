import { createHash } from "node:crypto"
import type { Checkpoint } from "@tilinta/contract/proofs/checkpoint"
import { type LineProof, writeLineProof } from "@tilinta/contract/proofs/line-proof"
import { fromBase64 } from "@tilinta/contract/proofs/tree"
import type { Db } from "#db/transaction"
import { auditPathOf } from "#kit/merkle"
import type { LedgerDifference } from "#ledger/reads"
import { headerOf, readConsistencyProofs, readInclusionProofs, type SignedRoot, sizeOf, splitHashes } from "./block.ts"
import type { SigningKeys } from "./keys.ts"
import {
  type Block,
  findBlocksAt,
  hasCheckpointKey,
  readBlocks,
  readCheckpoints,
  readHead,
  readLatestCheckpoints,
} from "./reads.ts"
import { mostUnsigned, openOwnNote } from "./seal.ts"
import { readKeys, readPostingKeys, readRows, sealedTableNames } from "./sealed-rows-reads.ts"

interface Booking {
  kind: string
  reference: string
  /** The change of the account; the gross amount of a payment. */
  amountCents: number
}

type ProveBookings = (account: string, bookings: readonly Booking[]) => Promise<string[]>

/** More would exceed what a spreadsheet takes in one cell. */
const LINKED_DAYS = 14

/**
 * Proves bookings to the root that this checkpoint signs, batch by batch; empty for a booking that isn't sealed there. A
 * reader knows the checkpoint after the first proof, and a block's header after the block's first.
 */
export async function bookingProver(db: Db, note: string): Promise<ProveBookings> {
  const treeSize = sizeOf(note)
  const links = await linksToEarlierCheckpoints(db, treeSize)
  const knownBlocks = new Set<number>()

  return async (account, bookings) => {
    const keys = await keysOf(db, account, bookings)
    const leaves = await findLeaves(db, keys, treeSize)
    return keys.map((key) => {
      const leaf = leaves.get(key)
      if (leaf === undefined) return ""
      const { text, index, auditPath, block, blockPath } = leaf
      const proof: LineProof = { text, index, path: auditPath.map(base64), block: block.number }
      if (!knownBlocks.has(block.number)) proof.of = { header: headerOf(block), path: blockPath.map(base64) }
      if (knownBlocks.size === 0) {
        proof.note = note
        proof.links = links
      }
      knownBlocks.add(block.number)
      return writeLineProof(proof)
    })
  }
}

interface Leaf {
  text: string
  index: number
  /** From the leaf to the root of its block. */
  auditPath: Buffer[]
  block: Block
  /** From the block's header to the root of the tree. */
  blockPath: Buffer[]
}

/** The leaves of these rows, by key; a row without one isn't sealed in the tree of this size. */
async function findLeaves(db: Db, keys: readonly string[], treeSize: number): Promise<Map<string, Leaf>> {
  const rows = await readRows(db, [...new Set(keys)])
  const texts = new Map(rows.map(({ key, text }) => [key, text]))
  const moments = rows.flatMap(({ writtenAt }) => writtenAt ?? [])
  const blocks = (await findBlocksAt(db, moments)).filter(({ number }) => number < treeSize)
  const numbers = blocks.map(({ number }) => number)
  const blockPaths = await readInclusionProofs(db, numbers, treeSize)
  const leaves = new Map<string, Leaf>()
  for (const [at, block] of blocks.entries()) {
    const hashes = splitHashes(block.hashes)
    for (const [index, key] of block.keys.entries()) {
      const text = texts.get(key)
      if (text === undefined) continue
      leaves.set(key, { text, index, auditPath: auditPathOf(hashes, index), block, blockPath: blockPaths[at] ?? [] })
    }
  }
  return leaves
}

async function keysOf(db: Db, account: string, bookings: readonly Booking[]): Promise<string[]> {
  const posted = bookings.filter(({ kind }) => kind !== "payment")
  const postings = posted.length === 0 ? [] : await readPostingKeys(db, account, posted)
  const nameOf = ({ kind, reference, amountCents }: Booking) => `${kind}/${reference}/${amountCents}`
  const keys = new Map(postings.map((posting) => [nameOf(posting), posting.key]))
  return bookings.map((each) => (each.kind === "payment" ? `p:${each.reference}` : (keys.get(nameOf(each)) ?? "")))
}

/** Consistency proofs from the checkpoints that administrators were mailed lately. */
async function linksToEarlierCheckpoints(db: Db, treeSize: number): Promise<NonNullable<LineProof["links"]>> {
  const sizes = new Set((await readLatestCheckpoints(db, LINKED_DAYS)).map(sizeOf))
  const smaller = [...sizes].filter((size) => size > 0 && size < treeSize)
  const proofs = await readConsistencyProofs(db, smaller, treeSize)
  return smaller.map((size, at) => ({ size, path: (proofs[at] ?? []).map(base64) }))
}

function base64(hash: Buffer): string {
  return hash.toString("base64")
}

interface Chain {
  until: string
  blockCount: number
}

const KEYS_AT_ONCE = 5_000
const BLOCKS_AT_ONCE = 20
/** Keys are compared in chunks by their digest, so that memory stays the same however many rows there are. */
const CHUNKS = 16

/** Keys of rows that claim to be of a sealed transaction, and which no block holds. */
export async function* findInserted(db: Db, { until, blockCount }: Chain): AsyncGenerator<string> {
  for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
    const sealed = await readSealedDigests(db, blockCount, chunk)
    for (const name of sealedTableNames) {
      for await (const key of insertedKeysOf(db, { name, until })) {
        const { digest, chunk: own } = digestOf(key)
        if (own === chunk && !sealed.has(digest)) yield key
      }
    }
  }
}

async function readSealedDigests(db: Db, blockCount: number, chunk: number): Promise<Set<bigint>> {
  const sealed = new Set<bigint>()
  for (let from = 0; from < blockCount; from += BLOCKS_AT_ONCE) {
    for (const { keys } of await readBlocks(db, { from, to: from + BLOCKS_AT_ONCE })) {
      for (const key of keys) {
        const { digest, chunk: own } = digestOf(key)
        if (own === chunk) sealed.add(digest)
      }
    }
  }
  return sealed
}

function digestOf(key: string): { digest: bigint; chunk: number } {
  const bytes = createHash("sha256").update(key).digest()
  return { digest: bytes.readBigUInt64BE(), chunk: bytes.readUInt8(8) % CHUNKS }
}

async function* insertedKeysOf(db: Db, { name, until }: { name: string; until: string }): AsyncGenerator<string> {
  let after: string | null = null
  do {
    const keys: string[] = await readKeys(db, { name, until, after, limit: KEYS_AT_ONCE })
    yield* keys
    after = keys.length < KEYS_AT_ONCE ? null : (keys.at(-1) ?? null)
  } while (after !== null)
}

interface Signed {
  checkpoints: SignedRoot[]
  differences: LedgerDifference[]
}

const DAYS_AT_ONCE = 1_000

/** Checkpoints that this database keeps. Without the keys, signatures are not checked: only roots are compared then. */
export async function readSigned(db: Db, signingKeys: SigningKeys | null): Promise<Signed> {
  const { note, blockCount } = await readHead(db)
  const notes = await readDays(db)
  if (note !== null) notes.push({ name: "ponto de controle atual", note })
  const differences: LedgerDifference[] = []
  const mustBeSigned = blockCount > mostUnsigned || (await hasCheckpointKey(db))
  if (note === null && mustBeSigned) {
    differences.push({ what: "ponto de controle da corrente", expected: "assinado", found: "ausente" })
  }
  const checkpoints: SignedRoot[] = []
  for (const { name, note: text } of notes) {
    const opened = signingKeys === null ? readUnsigned(text) : await openOwnNote(signingKeys, text)
    if (opened !== null) checkpoints.push({ name, size: opened.size, root: opened.root })
    else differences.push({ what: name, expected: "assinado com a chave da plataforma", found: "outra assinatura" })
  }
  return { checkpoints, differences }
}

async function readDays(db: Db): Promise<{ name: string; note: string }[]> {
  const notes: { name: string; note: string }[] = []
  for (let after = "0001-01-01"; ; ) {
    const days = await readCheckpoints(db, after, DAYS_AT_ONCE)
    notes.push(...days.map(({ day, note }) => ({ name: `ponto de controle de ${day}`, note })))
    const last = days.at(-1)
    if (last === undefined || days.length < DAYS_AT_ONCE) return notes
    after = last.day
  }
}

export function readUnsigned(note: string): Omit<Checkpoint, "origin"> | null {
  const [, size, root] = note.split("\n")
  const bytes = fromBase64(root ?? "")
  return bytes === null ? null : { size: Number(size), root: bytes }
}

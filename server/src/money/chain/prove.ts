import { createHash } from "node:crypto"
import type { Checkpoint } from "@tilinta/contract/proofs/checkpoint"
import { type LineProof, writeLineProof } from "@tilinta/contract/proofs/line-proof"
import { fromBase64 } from "@tilinta/contract/proofs/tree"
import type { Db } from "#db/transaction"
import { pathOf } from "#kit/merkle"
import type { LedgerDifference } from "#ledger/reads"
import { hashesOf, headerOf, readInclusions, readLinks, type SignedSize } from "./block.ts"
import type { SigningKeys } from "./keys.ts"
import { findBlocksAt, readBlocks, readCheckpoints, readHead, readLatestCheckpoints } from "./reads.ts"
import { mostUnsigned, openOwnNote } from "./seal.ts"
import { readKeys, readPostingKeys, readRows, sealedTableNames } from "./sealed-rows-reads.ts"

interface Booking {
  kind: string
  reference: string
  /** The change of the account; the gross amount of a payment. */
  amountCents: number
}

export type ProveBookings = (account: string, bookings: readonly Booking[]) => Promise<string[]>

/** More would exceed what a spreadsheet takes in one cell. */
const LINKED_DAYS = 14

/** Proves bookings to one checkpoint, some at a time; empty for one that isn't sealed there. */
export async function bookingProver(db: Db, note: string): Promise<ProveBookings> {
  const size = sizeOf(note)
  const links = await linksTo(db, size)
  const told = new Set<number>()
  let hasNote = false

  return async (account, bookings) => {
    const keys = await keysOf(db, account, bookings)
    const rows = new Map((await readRows(db, [...new Set(keys)])).map((row) => [row.key, row]))
    const moments = [...rows.values()].map(({ writtenAt }) => writtenAt)
    const blocks = (await findBlocksAt(db, moments)).filter(({ number }) => number < size)
    const numbers = blocks.map(({ number }) => number)
    const inclusions = await readInclusions(db, numbers, size)
    const places = new Map(
      blocks.flatMap((block, of) => block.keys.map((key, index) => [key, { block, of, index }] as const)),
    )
    const leaves = new Map(blocks.map((block) => [block.number, hashesOf(block.hashes)]))
    return keys.map((key) => {
      const place = places.get(key)
      const row = rows.get(key)
      if (place === undefined || row === undefined) return ""
      const { block, of, index } = place
      const path = pathOf(leaves.get(block.number) ?? [], index).map(base64)
      const proof: LineProof = { text: row.text, index, path, block: block.number }
      if (!told.has(block.number)) proof.of = { header: headerOf(block), path: (inclusions[of] ?? []).map(base64) }
      if (!hasNote) Object.assign(proof, { note, links } satisfies Partial<LineProof>)
      told.add(block.number)
      hasNote = true
      return writeLineProof(proof)
    })
  }
}

async function keysOf(db: Db, account: string, bookings: readonly Booking[]): Promise<string[]> {
  const posted = bookings.filter(({ kind }) => kind !== "payment")
  const known = posted.length === 0 ? [] : await readPostingKeys(db, account, posted)
  const nameOf = ({ kind, reference, amountCents }: Booking) => `${kind}/${reference}/${amountCents}`
  const byName = new Map(known.map((each) => [nameOf(each), each.key]))
  return bookings.map((each) => (each.kind === "payment" ? `p:${each.reference}` : (byName.get(nameOf(each)) ?? "")))
}

/** To the checkpoints that administrators were mailed lately. */
async function linksTo(db: Db, size: number): Promise<NonNullable<LineProof["links"]>> {
  const sizes = new Set((await readLatestCheckpoints(db, LINKED_DAYS)).map(sizeOf))
  const smaller = [...sizes].filter((each) => each > 0 && each < size)
  const paths = await readLinks(db, smaller, size)
  return smaller.map((each, at) => ({ size: each, path: (paths[at] ?? []).map(base64) }))
}

/** The number of blocks of a note of ours. */
function sizeOf(note: string): number {
  return Number(note.split("\n")[1])
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
/** Keys are compared in parts, so that memory stays the same however many rows there are. */
const CHUNKS = 16

/** Keys of rows that claim to be of a sealed transaction, and which no block holds. */
export async function* findInserted(db: Db, { until, blockCount }: Chain): AsyncGenerator<string> {
  for (let part = 0; part < CHUNKS; part += 1) {
    const sealed = await sealedKeys(db, blockCount, part)
    for (const name of sealedTableNames) {
      for await (const key of insertedKeysOf(db, { name, until })) {
        const { digest, part: own } = digestOf(key)
        if (own === part && !sealed.has(digest)) yield key
      }
    }
  }
}

async function sealedKeys(db: Db, blockCount: number, part: number): Promise<Set<bigint>> {
  const sealed = new Set<bigint>()
  for (let from = 0; from < blockCount; from += BLOCKS_AT_ONCE) {
    for (const { keys } of await readBlocks(db, { from, to: from + BLOCKS_AT_ONCE })) {
      for (const key of keys) {
        const { digest, part: own } = digestOf(key)
        if (own === part) sealed.add(digest)
      }
    }
  }
  return sealed
}

function digestOf(key: string): { digest: bigint; part: number } {
  const bytes = createHash("sha256").update(key).digest()
  return { digest: bytes.readBigUInt64BE(), part: bytes.readUInt8(8) % CHUNKS }
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
  checkpoints: SignedSize[]
  differences: LedgerDifference[]
}

const DAYS_AT_ONCE = 1_000

/** Checkpoints that this database keeps. Without the keys, signatures are not checked: only roots are compared then. */
export async function readSigned(db: Db, signingKeys: SigningKeys | null): Promise<Signed> {
  const { note, blockCount } = await readHead(db)
  const notes = await readDays(db)
  if (note !== null) notes.push({ name: "ponto de controle atual", note })
  const differences: LedgerDifference[] = []
  if (notes.length === 0 && blockCount > mostUnsigned) {
    differences.push({ what: "ponto de controle da corrente", expected: "assinado", found: "ausente" })
  }
  const checkpoints: SignedSize[] = []
  for (const { name, note: text } of notes) {
    const opened = signingKeys === null ? unsignedPart(text) : await openOwnNote(signingKeys, text)
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

function unsignedPart(note: string): Omit<Checkpoint, "origin"> | null {
  const [, size, root] = note.split("\n")
  const bytes = fromBase64(root ?? "")
  return bytes === null ? null : { size: Number(size), root: bytes }
}

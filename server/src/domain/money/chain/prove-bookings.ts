import { type LineProof, writeLineProof } from "@tilinta/contract/proofs/line-proof"
import type { Db } from "#db/transaction"
import { pathOf } from "#kit/merkle"
import { hashesOf, headerOf } from "./block.ts"
import { findBlocksAt, readLatestCheckpoints } from "./chain-repository.ts"
import { readInclusions, readLinks } from "./read-proofs.ts"
import { readPostingKeys, readRows } from "./sealed-rows-repository.ts"

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

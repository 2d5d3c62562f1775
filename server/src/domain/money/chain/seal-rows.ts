import type { Db, Tx } from "#db/transaction"
import { isPaymentsRush } from "#domain/platform/payments-rush/payments-rush"
import { type Clock, secondsAfter } from "#kit/clock"
import { invariant } from "#kit/invariant"
import { type Psp, provenTime } from "#psp/psp"
import { makeBlock, neighboursOf } from "./block.ts"
import { findNodes, insertBlock, lockHead, moveHead } from "./chain-repository.ts"
import { findSealable, readUnsealed } from "./sealed-rows-repository.ts"
import { waitsSince } from "./sealing-lag-repository.ts"

interface Deps {
  db: Db
  psp: Pick<Psp, "bankTime">
  clock: Clock
}

const ROWS_OF_BLOCK = 2_000
const MOST_BLOCKS = 50
/** A chain that nobody has signed yet goes no further, so that a longer one without a signature was tampered with. */
export const mostUnsigned = 50

/** With the job's interval and its run, a row is sealed within a minute. */
const LONGEST_WAIT_SECONDS = 45

/** Seals what has committed since the last time, and later while payments keep the server busy. */
export async function sealRowsInTime(deps: Deps): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  if ((await isPaymentsRush(db, now)) && !(await waitsSince(db, secondsAfter(now, -LONGEST_WAIT_SECONDS)))) return
  await sealRows(deps)
}

/**
 * Seals what has committed until now. One server at a time: what another one seals, this one leaves. A block that a clock
 * which is ahead dates would make all that other servers book next look dated back.
 */
export async function sealRows({ db, ...deps }: Deps): Promise<void> {
  for (let sealed = 0; sealed < MOST_BLOCKS; sealed += 1) {
    const rows = await db.transaction().execute((tx) => sealBlock(tx, provenTime(deps)))
    if (rows < ROWS_OF_BLOCK) return
  }
}

/** The number of rows that were sealed. */
async function sealBlock(tx: Tx, now: Date): Promise<number> {
  const head = await lockHead(tx)
  if (head === undefined || (head.note === null && head.blockCount >= mostUnsigned)) return 0
  const last = await findSealable(tx, head.until, ROWS_OF_BLOCK)
  if (last === null) return 0
  const rows = await readUnsealed(tx, { until: head.until, last })
  const number = head.blockCount
  const kept = await findNodes(tx, [...new Set([number - 1, ...neighboursOf(number)])])
  invariant(number === 0 || kept.has(number - 1), `block ${number - 1} of the chain is missing`)
  await insertBlock(tx, makeBlock({ number, rows, kept, now }))
  await moveHead(tx, { until: last, blockCount: number + 1 })
  return rows.rowCount
}

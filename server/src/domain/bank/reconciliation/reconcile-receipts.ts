import type { Logger } from "pino"
import type { LookupDb } from "#db/transaction"
import { readReceiptsSeenUntil, saveReceiptsSeenUntil } from "#domain/bank/psp-inbox/psp-connection"
import { bookPayments } from "#domain/money/payments/book-payments"
import { findBookedReceipts } from "#domain/money/payments/find-booked"
import { recordReportedRefunds } from "#domain/money/refunds/record-reported-refunds"
import { type Clock, secondsAfter } from "#kit/clock"
import type { Psp } from "#psp/psp"

/** Most receipts are listed at once; late and unordered ones are found by a longer overlap every ten minutes. */
const OVERLAP_SECONDS = 30
const LONG_OVERLAP_SECONDS = 600
/** The providers' clocks may run ahead of ours. */
const AHEAD_SECONDS = 120

/**
 * Fetches all receipts since the last run, with an overlap, and books those that no webhook reported. This is the rule;
 * webhooks only make it faster.
 */
export async function reconcileReceipts(deps: { db: LookupDb; psp: Psp; clock: Clock; log: Logger }): Promise<void> {
  const startedAt = deps.clock.now()
  const seenUntil = await readReceiptsSeenUntil(deps.db, deps.psp.name)
  const overlap = isDueForLongOverlap(seenUntil, startedAt) ? LONG_OVERLAP_SECONDS : OVERLAP_SECONDS
  const window = { from: secondsAfter(seenUntil, -overlap), to: secondsAfter(startedAt, AHEAD_SECONDS) }
  for await (const receipts of deps.psp.listReceipts(window)) {
    const booked = await findBookedReceipts(
      deps.db,
      receipts.map((receipt) => receipt.endToEndId),
    )
    const missing = receipts.filter((receipt) => !booked.has(receipt.endToEndId))
    await bookPayments(deps, missing)
    await recordReportedRefunds(deps, receipts)
  }
  await deps.db.transaction().execute((tx) => saveReceiptsSeenUntil(tx, deps.psp.name, startedAt))
}

/** The first run in each ten minutes; derived from stored state, so that it holds across nodes and restarts. */
function isDueForLongOverlap(seenUntil: Date, now: Date): boolean {
  const turnOf = (moment: Date) => Math.floor(moment.getTime() / (LONG_OVERLAP_SECONDS * 1000))
  return turnOf(seenUntil) !== turnOf(now)
}

import type { Logger } from "pino"
import type { LookupDb } from "#db/transaction"
import { readReceiptsSeenUntil, saveReceiptsSeenUntil } from "#domain/bank/psp-inbox/psp-connection"
import { beginLook, believableSeenUntil } from "#domain/bank/psp-inbox/seen-until"
import { bookPayments } from "#domain/money/payments/book-payments"
import { countPaymentsSince } from "#domain/money/payments/count-payments-since"
import { findBookedReceipts } from "#domain/money/payments/find-booked"
import { recordReportedRefunds } from "#domain/money/refunds/record-reported-refunds"
import { type Clock, secondsAfter } from "#kit/clock"
import { latestTime, type Psp, provenTime } from "#psp/psp"
import { recordUnreadable } from "./record-unreadable.ts"

/**
 * Most receipts are listed at once. A bank whose clock is behind stamps new receipts with past times, and the overlap
 * finds them: all of the last hour while they are few, else in the first run of every ten minutes.
 */
const OVERLAP_SECONDS = 30
const LONG_OVERLAP_SECONDS = 1800
const LONGEST_OVERLAP_SECONDS = 3600
const FEW_PAYMENTS = 100
const TURN_SECONDS = 600
/** The providers' clocks may run ahead of ours. */
const AHEAD_SECONDS = 120

interface Deps {
  db: LookupDb
  psp: Psp
  clock: Clock
  log: Logger
}

/**
 * Fetches all receipts since the last run, with an overlap, and books those that no webhook reported. This is the rule;
 * webhooks only make it faster.
 */
export async function reconcileReceipts(deps: Deps): Promise<void> {
  const seenUntil = believableSeenUntil(deps, "receipts", await readReceiptsSeenUntil(deps.db, deps.psp.name))
  const endLook = beginLook(deps)
  const from = secondsAfter(seenUntil, -(await overlapSeconds(deps, seenUntil)))
  const window = { from, to: secondsAfter(latestTime(deps), AHEAD_SECONDS) }
  for await (const receipts of deps.psp.listReceipts(window)) {
    const booked = await findBookedReceipts(
      deps.db,
      receipts.map((receipt) => receipt.endToEndId),
    )
    const missing = receipts.filter((receipt) => !booked.has(receipt.endToEndId))
    await bookPayments(deps, missing)
    await recordReportedRefunds(deps, receipts)
  }
  await recordUnreadable(deps)
  const seen = endLook()
  await deps.db.transaction().execute((tx) => saveReceiptsSeenUntil(tx, deps.psp.name, seen))
}

async function overlapSeconds(deps: Deps, seenUntil: Date): Promise<number> {
  const since = secondsAfter(seenUntil, -LONGEST_OVERLAP_SECONDS)
  const count = await countPaymentsSince(deps.db, { provider: deps.psp.name, since, most: FEW_PAYMENTS })
  if (count < FEW_PAYMENTS) return LONGEST_OVERLAP_SECONDS
  return isFirstOfTurn(seenUntil, provenTime(deps)) ? LONG_OVERLAP_SECONDS : OVERLAP_SECONDS
}

/** The first run in each ten minutes; derived from stored state, so that it holds across nodes and restarts. */
function isFirstOfTurn(seenUntil: Date, now: Date): boolean {
  const turnOf = (moment: Date) => Math.floor(moment.getTime() / (TURN_SECONDS * 1000))
  return turnOf(seenUntil) !== turnOf(now)
}

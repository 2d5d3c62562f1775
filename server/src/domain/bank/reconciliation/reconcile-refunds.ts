import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import { bookPayments } from "#domain/money/payments/book-payments"
import { recordReportedRefunds } from "#domain/money/refunds/record-reported-refunds"
import { type Clock, secondsAfter } from "#kit/clock"
import { latestTime, type Psp, provenTime } from "#psp/psp"

const DAY_SECONDS = 86_400
/**
 * Most refunds end within days. The daily close queries all payments that may still be refunded, which are more and
 * more.
 */
const RECENT_DAYS = 7
const AHEAD_SECONDS = 120

/**
 * Fetches the refunds of recent payments: a bank may begin one at any time after the payment's own reconciliation, and
 * its webhook may be lost.
 */
export async function reconcileRefunds(deps: { db: Db; psp: Psp; clock: Clock; log: Logger }): Promise<void> {
  if (deps.psp.listRefundedReceipts === null) return
  const from = secondsAfter(provenTime(deps), -RECENT_DAYS * DAY_SECONDS)
  const window = { from, to: secondsAfter(latestTime(deps), AHEAD_SECONDS) }
  for await (const receipts of deps.psp.listRefundedReceipts(window)) {
    await bookPayments(deps, receipts)
    await recordReportedRefunds(deps, receipts)
  }
}

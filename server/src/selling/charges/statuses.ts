import { isPaid, listedStatusOf, type PayerStatus, payerStatusOf } from "@tilinta/contract/vocabulary/transactions"
import type { Db } from "#db/transaction"
import { createRecentMap } from "#kit/caches"
import type { Clock } from "#kit/clock"
import { createMicroBatch } from "#kit/micro-batch"
import { findOrderOfPage } from "#selling/charge-pages/create"
import { findReturnLink, type ReturnDeps } from "#selling/return-origins/return-link"
import { findStatusRows, type StatusRow } from "./reads.ts"
import { type Charge, chargeStatusAt, GRACE_MS } from "./rules.ts"

interface StatusQuery {
  id: string
  now: Date
}

/** Null for an unknown id. Synchronous for cached answers. */
export type PaymentStatuses = (id: string, clock: Clock) => PayerStatus | Promise<PayerStatus | null>

const REMEMBERED = 50_000
const AT_ONCE = 400
/** Enough for all streams at once, which ask when events may have been missed. */
const MOST_WAITING = 50_000

/**
 * Never stale: 'pago' alone is final, so it alone is answered from the cache. For open charges the cache knows that
 * they exist, and the database is asked only which of them have changed. Created once in a process, so that all callers
 * share queries.
 */
export function createPaymentStatuses(db: Db): PaymentStatuses {
  const memory = createRecentMap<string, "paid" | "open">(REMEMBERED)

  async function read(queries: readonly StatusQuery[]): Promise<(PayerStatus | null)[]> {
    const ids = queries.map(({ id }) => id)
    const strangers = new Set(ids.filter((id) => memory.get(id) === undefined))
    const overBy = new Date(Math.max(...queries.map(({ now }) => now.getTime())) - GRACE_MS)
    const rows = await findStatusRows(db, { ids, strangers: [...strangers], overBy })
    for (const { id, status } of rows) {
      if (isPaid(status)) memory.set(id, "paid")
      else if (strangers.has(id)) memory.set(id, "open")
    }
    const byId = new Map(rows.map((row) => [row.id, row]))
    return queries.map(({ id, now }) => {
      const row = byId.get(id)
      if (row !== undefined) return wordFor(row, now)
      return strangers.has(id) ? null : payerStatusOf.pending
    })
  }

  const ask = createMicroBatch<StatusQuery, PayerStatus | null>({
    run: read,
    most: AT_ONCE,
    slots: 1,
    mostWaiting: MOST_WAITING,
    // No single id can fail: retrying each alone would only wait for a lost database.
    failsAll: () => true,
  })

  return (id, clock) => (memory.get(id) === "paid" ? payerStatusOf.paid : ask({ id, now: clock.now() }))
}

function wordFor(row: StatusRow, now: Date): PayerStatus {
  return payerStatusOf[listedStatusOf(chargeStatusAt(row, now))]
}

/** The way back of the payer of one charge; null before the payment, and once all of it was refunded. */
export async function findReturnLinkOf(
  deps: ReturnDeps,
  { id, sellerId, pageId, status }: Charge,
): Promise<string | null> {
  if (status !== "paid" || pageId === null) return null
  const order = await findOrderOfPage(deps.db, pageId)
  if (order === null || order.returnUrl === null) return null
  const { externalReference, returnUrl } = order
  return findReturnLink(deps, {
    sellerId,
    transactionId: id,
    status: payerStatusOf[status],
    externalReference,
    returnUrl,
  })
}

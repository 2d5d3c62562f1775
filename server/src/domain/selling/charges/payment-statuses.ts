import { type PayerStatus, payerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { createMicroBatch } from "#kit/micro-batch"
import { createRecentMap } from "#kit/recent-map"
import { chargeStatusAt, GRACE_MS } from "./charge.ts"
import { findStatusRows, type StatusRow } from "./payment-status-repository.ts"

interface Asked {
  id: string
  now: Date
}

/** Null for what never was. At once where the memory has it. */
type PaymentStatuses = (id: string, clock: Clock) => PayerStatus | Promise<PayerStatus | null>

const REMEMBERED = 50_000
const AT_ONCE = 400
/** All streams at once, when events may have been missed. */
const MOST_WAITING = 50_000

const ofDatabase = new WeakMap<Db, PaymentStatuses>()

/** One for each database, so that all who wait are asked for together, whatever way they came. */
export function paymentStatusesOf(db: Db): PaymentStatuses {
  const known = ofDatabase.get(db)
  if (known !== undefined) return known
  const statuses = createPaymentStatuses(db)
  ofDatabase.set(db, statuses)
  return statuses
}

/**
 * Never stale: 'pago' is the only word that is final, so it alone is answered from memory. Of an open charge the
 * memory knows that it was there, and the database is asked only which of all these are no longer as they were.
 */
function createPaymentStatuses(db: Db): PaymentStatuses {
  const memory = createRecentMap<string, "paid" | "open">(REMEMBERED)

  async function read(asked: readonly Asked[]): Promise<(PayerStatus | null)[]> {
    const ids = asked.map(({ id }) => id)
    const strangers = new Set(ids.filter((id) => memory.get(id) === undefined))
    const overBy = new Date(Math.max(...asked.map(({ now }) => now.getTime())) - GRACE_MS)
    const rows = await findStatusRows(db, { ids, strangers: [...strangers], overBy })
    for (const { id, status } of rows) {
      if (isFinal(status)) memory.set(id, "paid")
      else if (strangers.has(id)) memory.set(id, "open")
    }
    const byId = new Map(rows.map((row) => [row.id, row]))
    return asked.map(({ id, now }) => {
      const row = byId.get(id)
      if (row !== undefined) return wordFor(row, now)
      return strangers.has(id) ? null : payerStatusOf.pending
    })
  }

  const ask = createMicroBatch<Asked, PayerStatus | null>({
    run: read,
    most: AT_ONCE,
    slots: 1,
    mostWaiting: MOST_WAITING,
    // Nothing in an id can fail: each alone would only wait for a database that is away.
    failsAll: () => true,
  })

  return (id, clock) => (memory.get(id) === "paid" ? payerStatusOf.paid : ask({ id, now: clock.now() }))
}

function isFinal(status: StatusRow["status"]): boolean {
  return status === "paid" || status === "refunded"
}

function wordFor(row: StatusRow, now: Date): PayerStatus {
  const status = chargeStatusAt(row, now)
  return status === "creating" ? payerStatusOf.pending : payerStatusOf[status]
}

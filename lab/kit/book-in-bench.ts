import type { Cents } from "@tilinta/contract/vocabulary/money"
import { createPool, lookupSettings } from "../../server/src/db/pools.ts"
import { createDb } from "../../server/src/db/transaction.ts"
import { systemClock } from "../../server/src/kit/clock.ts"
import { createLog } from "../../server/src/kit/log.ts"
import { bookPayments } from "../../server/src/money/payments/book.ts"
import type { PaymentReceived } from "../../server/src/psp/psp.ts"
import { centsOf, endToEndIdOf, txidOf } from "./bank/charge-names.ts"

/**
 * Books like another node of the server, but in the bench's process, which therefore knows when each commit returned.
 */
export interface Booking {
  /** Books these charges of the market in one batch. */
  book(numbers: readonly number[]): Promise<void>
  stop(): Promise<void>
}

export function openBooking(databaseUrl: string): Booking {
  const pool = createPool({ url: databaseUrl, max: 4, applicationName: "bench booking", settings: lookupSettings })
  const deps = { db: createDb(pool), clock: systemClock, log: createLog("error") }
  return {
    book: async (numbers) => void (await bookPayments(deps, numbers.map(receiptOf))),
    stop: () => pool.end(),
  }
}

function receiptOf(n: number): PaymentReceived {
  const paidAt = new Date()
  const named = { endToEndId: endToEndIdOf(n, paidAt), txid: txidOf(n), amountCents: centsOf(n) as Cents }
  return { provider: "simulator", ...named, paidAt, refunds: [] }
}

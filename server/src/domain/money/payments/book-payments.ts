import type { Logger } from "pino"
import { executeOne } from "#db/one-statement"
import type { Db } from "#db/transaction"
import { removableWhenAnswered } from "#domain/selling/charges/charge"
import type { Clock } from "#kit/clock"
import type { PaymentReceived } from "#psp/psp"
import { bookPaymentRows } from "./payments-repository.ts"

/** Larger batches would only add latency. */
const BATCH = 200

interface Deps {
  db: Db
  clock: Clock
  log: Logger
}

/**
 * Books money that reached the PSP to the sellers' balances, each payment exactly once however often it is reported. When
 * a batch fails, its payments are booked singly, so that a bad one can't block its neighbours. Throws after trying all of
 * them if any could not be booked.
 */
export async function bookPayments(deps: Deps, payments: PaymentReceived[]): Promise<void> {
  const failures: unknown[] = []
  for (let start = 0; start < payments.length; start += BATCH) {
    const batch = payments.slice(start, start + BATCH)
    try {
      await bookBatch(deps, batch)
    } catch (error) {
      failures.push(...(batch.length === 1 ? [error] : await bookSingly(deps, batch)))
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "payments that could not be booked")
}

async function bookSingly(deps: Deps, batch: PaymentReceived[]): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const payment of batch) {
    await bookBatch(deps, [payment]).catch((error: unknown) => {
      deps.log.error({ err: error, alarm: "payment_not_booked" }, "a payment could not be booked")
      failures.push(error)
    })
  }
  return failures
}

/** One statement, which is a transaction of its own: it decides what each payment does, and books it. */
async function bookBatch({ db, clock }: Deps, reported: PaymentReceived[]): Promise<void> {
  const now = clock.now()
  const payments = [...new Map(reported.map((payment) => [payment.endToEndId, payment])).values()]
  await executeOne(db, bookPaymentRows(payments, { now, answeredBy: removableWhenAnswered(now) }))
}

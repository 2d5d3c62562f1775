import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import { claimDueChargeRemovals, saveChargeRemovals } from "#domain/selling/charges/due-removals"
import type { Clock } from "#kit/clock"
import type { Psp } from "#psp/psp"
import { bookPayments } from "./book-payments.ts"

const BATCH = 40

/**
 * Removes codes at the provider that may not be paid any more. When the payer was faster, the money is booked: a charge
 * is never both removed and paid. Failures are retried half a minute later.
 */
export async function removeDueCharges(deps: { db: Db; psp: Psp; clock: Clock; log: Logger }): Promise<void> {
  for (;;) {
    const due = await deps.db.transaction().execute((tx) => claimDueChargeRemovals(tx, deps.clock.now(), BATCH))
    const results = await Promise.allSettled(due.map(({ txid }) => removeCharge(deps, txid)))
    const done = due.filter((_, index) => results[index]?.status === "fulfilled").map(({ id }) => id)
    await deps.db.transaction().execute((tx) => saveChargeRemovals(tx, done))
    if (done.length < due.length) deps.log.warn({ failed: due.length - done.length }, "codes not removed yet")
    if (due.length < BATCH) return
  }
}

async function removeCharge(deps: { db: Db; psp: Psp; clock: Clock; log: Logger }, txid: string): Promise<void> {
  const state = await deps.psp.removeCharge(txid)
  if (state === "paid") await bookPayments(deps, await deps.psp.findReceiptsOfCharge(txid))
}

import { isOpenUnmatchedPayment } from "@tilinta/contract/vocabulary/transactions"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { type Psp, PspError } from "#psp/psp"
import { type Candidate, findCandidates } from "./list-reads.ts"
import { lockUnmatchedPaymentRow, updateUnmatchedPayment } from "./table.ts"

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

/** The receipt of a charge that was paid at the same moment comes first. */
const PATIENCE_SECONDS = 60
/** A bank that doesn't call a charge paid by now never will. */
const LOOKED_FOR_SECONDS = 3600

/**
 * Payers' banks lose the txid: then the money names no charge, while the bank calls one of ours paid. Where that is one charge alone,
 * of this amount and without a receipt of its own, it is suggested; a person decides.
 */
export async function suggestCharges({ db, psp, clock, log }: Deps): Promise<void> {
  const now = clock.now()
  const candidates = await findCandidates(db, {
    provider: psp.name,
    receivedAfter: secondsAfter(now, -LOOKED_FOR_SECONDS),
    receivedBefore: secondsAfter(now, -PATIENCE_SECONDS),
  })
  for (const [unmatchedId, charges] of Map.groupBy(candidates, (each) => each.unmatchedId)) {
    try {
      const paid = await paidAtBank(psp, charges)
      const [only] = paid
      if (only === undefined || paid.length > 1) continue
      await db.transaction().execute((tx) => suggest(tx, unmatchedId, only.chargeId))
    } catch (error) {
      if (!(error instanceof PspError)) throw error
      log.warn({ err: error }, "the provider didn't say which charge a payment without txid is for")
    }
  }
}

async function paidAtBank(psp: Psp, charges: Candidate[]): Promise<Candidate[]> {
  const paid: Candidate[] = []
  for (const charge of charges) {
    if (!(await psp.isChargePaid(charge.txid))) continue
    const receipts = await psp.findReceiptsOfCharge(charge.txid)
    if (receipts.every(({ endToEndId }) => endToEndId === charge.endToEndId)) paid.push(charge)
  }
  return paid
}

async function suggest(tx: Tx, id: string, chargeId: string): Promise<void> {
  const unmatched = await lockUnmatchedPaymentRow(tx, id)
  if (unmatched === null || !isOpenUnmatchedPayment(unmatched.status)) return
  await updateUnmatchedPayment(tx, id, { suggested_charge_id: chargeId })
}

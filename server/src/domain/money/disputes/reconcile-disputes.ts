import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import { bookPayments } from "#domain/money/payments/book-payments"
import { findBookedReceipts } from "#domain/money/payments/find-booked"
import { recordReportedRefunds } from "#domain/money/refunds/record-reported-refunds"
import { type Clock, secondsAfter } from "#kit/clock"
import { latestTime, type Psp, type PspDispute, provenTime } from "#psp/psp"
import { DISPUTABLE_DAYS } from "./disputable-days.ts"
import { findSettledNames } from "./disputes-repository.ts"
import { recordDispute } from "./record-dispute.ts"

const DAY_SECONDS = 86_400
/** The analysis takes some more time, and a dispute may change until its end. */
const CONTESTABLE_DAYS = DISPUTABLE_DAYS + 40
const AHEAD_SECONDS = 120

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

/** Fetches every dispute that may still change. This is the rule; webhooks only make it faster. */
export async function reconcileDisputes(deps: Deps): Promise<void> {
  const { disputes } = deps.psp
  if (disputes === null) return
  const from = secondsAfter(provenTime(deps), -CONTESTABLE_DAYS * DAY_SECONDS)
  for await (const reported of disputes.list({ from, to: secondsAfter(latestTime(deps), AHEAD_SECONDS) })) {
    await recordReported(deps, reported)
  }
}

/** Follows up a webhook by asking the provider. False when it should be retried. */
export async function askAboutDispute(deps: Deps, disputeId: string): Promise<boolean> {
  try {
    const reported = await deps.psp.disputes?.find(disputeId)
    if (reported === undefined || reported === null) {
      deps.log.warn({ alarm: "webhook_not_confirmed" }, "the provider doesn't know a dispute that it reported")
      return true
    }
    return (await recordReported(deps, [reported])).length === 0
  } catch (error) {
    deps.log.warn({ err: error }, "the provider didn't answer about a dispute")
    return false
  }
}

/** A failure stops no other; returns those to retry. */
async function recordReported(deps: Deps, reported: PspDispute[]): Promise<PspDispute[]> {
  const failed: PspDispute[] = []
  const settled = await findSettledNames(deps.db, deps.psp.name, reported)
  for (const dispute of reported.filter(({ disputeId }) => !settled.has(disputeId))) {
    await recordOne(deps, dispute).catch((error: unknown) => {
      deps.log.error(
        { err: error, alarm: "dispute_not_recorded" },
        "a dispute that the provider reported isn't recorded",
      )
      failed.push(dispute)
    })
  }
  return failed
}

/** Books the payment and the bank's debits first: the money of an accepted dispute has already left. */
async function recordOne(deps: Deps, reported: PspDispute): Promise<void> {
  const { endToEndId } = reported
  const isBooked = (await findBookedReceipts(deps.db, [endToEndId])).has(endToEndId)
  if (!isBooked || reported.state === "accepted") {
    const receipt = await deps.psp.findReceipt(endToEndId)
    if (receipt !== null) {
      await bookPayments(deps, [receipt])
      await recordReportedRefunds(deps, [receipt])
    }
  }
  await recordDispute(deps, reported)
}

import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { inBatches } from "#kit/in-batches"
import { type Psp, PspError, type PspRefund } from "#psp/psp"
import { recordOutcome } from "./record-outcome.ts"
import type { Refund } from "./refund.ts"
import { claimProcessingRefunds, markSendingRefund, postponeProcessingRefund } from "./refunds-repository.ts"

interface RefundDeps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

const BATCH = 8
/** Longer than all calls of one job run together, so that nobody else claims the refund meanwhile. */
const LEASE_SECONDS = 60
const LONGEST_PAUSE_SECONDS = 60
/** After about ten minutes without an answer an alarm is raised. */
const MANY_ATTEMPTS = 15

/** Hands refunds without a known outcome to the provider, and queries them until they have one. */
export async function settleRefunds(deps: RefundDeps): Promise<void> {
  await inBatches({
    size: BATCH,
    take: () => deps.db.transaction().execute((tx) => takeProcessing(tx, deps.psp.name, deps.clock.now())),
    work: (refund) => settleRefund(deps, refund),
  })
}

async function takeProcessing(tx: Tx, provider: string, now: Date): Promise<Refund[]> {
  return claimProcessingRefunds(tx, { provider, now, leaseUntil: secondsAfter(now, LEASE_SECONDS), limit: BATCH })
}

/**
 * The provider is queried first, and gets the refund only if it has never seen it, always under the same id. So this is
 * safe after any crash, twice, on two nodes, or on a restored backup: it is paid at most once.
 */
async function settleRefund(deps: RefundDeps, refund: Refund): Promise<void> {
  const answer = await askOrSend(deps, refund)
  const now = deps.clock.now()
  if (answer === null || answer.state === "under-way") {
    const until = secondsAfter(now, Math.min(2 ** refund.attempts, LONGEST_PAUSE_SECONDS))
    await deps.db.transaction().execute((tx) => postponeProcessingRefund(tx, refund.id, until))
    return
  }
  await deps.db.transaction().execute((tx) => recordOutcome(tx, refund, answer, { now, by: null }))
}

/** Null while the outcome is unknown. */
async function askOrSend({ db, psp, clock, log }: RefundDeps, refund: Refund): Promise<PspRefund | null> {
  const { id, endToEndId, pspRefundId, amountCents, reason, attempts } = refund
  const stuck = attempts >= MANY_ATTEMPTS ? { alarm: "refund_stuck" } : {}
  try {
    const request = { endToEndId, pspRefundId, amountCents, description: reason }
    const known = await psp.findRefund(request)
    const now = clock.now()
    const isHeld = known === null && (await db.transaction().execute((tx) => markSendingRefund(tx, id, now))) === null
    if (isHeld) return null
    const answer = known ?? (await psp.requestRefund(request))
    if (answer.amountCents === null || answer.amountCents === amountCents) {
      if (answer.state === "under-way") log.info({ refundId: id, attempts, ...stuck }, "a refund is under way")
      return answer
    }
    log.error({ alarm: "refund_mismatch", refundId: id }, "the provider's refund has another amount")
    return null
  } catch (error) {
    if (!(error instanceof PspError)) throw error
    log.warn({ err: error, refundId: id, attempts, ...stuck }, "the outcome of a refund is not known yet")
    return null
  }
}

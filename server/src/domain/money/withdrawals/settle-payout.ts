import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { type Clock, secondsAfter } from "#kit/clock"
import { invariant } from "#kit/invariant"
import { postTransactions } from "#ledger/post-transactions"
import { PspError, type PspPayout, type PspPayouts } from "#psp/psp"
import { holdForReturn } from "./hold-for-return.ts"
import type { Withdrawal } from "./withdrawal.ts"
import { withdrawalAuditOf } from "./withdrawal-audit.ts"
import { completedWithdrawalPostings, refusedPostings } from "./withdrawal-postings.ts"
import { lockWithdrawal, postponeProcessingWithdrawal, updateWithdrawal } from "./withdrawals-repository.ts"

export interface SettleDeps {
  db: Db
  payouts: PspPayouts
  clock: Clock
  log: Logger
}

/** Longer than all calls of one job run together, so that nobody else claims the payout meanwhile. */
export const LEASE_SECONDS = 60
const LONGEST_PAUSE_SECONDS = 60
/** After about ten minutes without an answer an alarm is raised. */
const MANY_ATTEMPTS = 15

/**
 * The provider is queried first, and gets the payout only if it has never seen it, always under the same id. So this is
 * safe after any crash, twice, on two nodes, or on a restored backup: it is paid at most once.
 */
export async function settlePayout(deps: SettleDeps, withdrawal: Withdrawal): Promise<void> {
  const payout = await askOrSend(deps, withdrawal)
  const now = deps.clock.now()
  if (payout === null || payout.state === "under-way") {
    const pause = Math.min(2 ** withdrawal.attempts, LONGEST_PAUSE_SECONDS)
    const until = secondsAfter(now, pause)
    await deps.db.transaction().execute((tx) => postponeProcessingWithdrawal(tx, withdrawal.id, until))
    return
  }
  await deps.db.transaction().execute((tx) => recordOutcome(tx, withdrawal.id, payout, now))
}

/** Null while the outcome is unknown. */
async function askOrSend({ payouts, log }: SettleDeps, withdrawal: Withdrawal): Promise<PspPayout | null> {
  const { payoutId, destination, amountCents, attempts, id } = withdrawal
  invariant(payoutId !== null && destination.method === "pix", `withdrawal ${id} is not paid by Pix`)
  const stuck = attempts >= MANY_ATTEMPTS ? { alarm: "payout_stuck" } : {}
  try {
    const request = { payoutId, pixKey: destination.pixKey, amountCents, description: "Saque" }
    const payout = (await payouts.find(payoutId)) ?? (await payouts.send(request))
    if (payout.amountCents === null || payout.amountCents === amountCents) {
      if (payout.state === "under-way") log.info({ withdrawalId: id, attempts, ...stuck }, "a payout is under way")
      return payout
    }
    log.error({ alarm: "payout_mismatch", withdrawalId: id }, "the provider's payout has another amount")
    return null
  } catch (error) {
    if (!(error instanceof PspError)) throw error
    log.warn({ err: error, withdrawalId: id, attempts, ...stuck }, "the outcome of a payout is not known yet")
    return null
  }
}

/** A second call finds it settled, and moves nothing. */
async function recordOutcome(tx: Tx, id: string, payout: PspPayout, now: Date): Promise<void> {
  const processing = await lockWithdrawal(tx, id)
  if (processing?.status !== "processing") return
  const isPaid = payout.state === "completed"
  if (!isPaid) await holdForReturn(tx, processing)
  const settled = await updateWithdrawal(tx, id, {
    status: isPaid ? "completed" : "rejected",
    processed_at: now,
    settled_at: isPaid ? (payout.settledAt ?? now) : null,
    end_to_end_id: payout.endToEndId,
    failure_reason: isPaid ? null : (payout.reason ?? "O banco recusou o pagamento."),
    next_attempt_at: null,
  })
  await postTransactions(tx, [isPaid ? completedWithdrawalPostings(processing, now) : refusedPostings(processing, now)])
  const action = isPaid ? "withdrawal.completed" : "withdrawal.refused"
  await recordAudit(tx, withdrawalAuditOf(action, processing, settled, null, now))
}

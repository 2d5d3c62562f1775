import { isRefundUnderWay } from "@tilinta/contract/vocabulary/transactions"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { invariant } from "#kit/errors"
import { inBatches } from "#kit/micro-batch"
import type { SecretKeys } from "#kit/secrets"
import type { LedgerTransaction } from "#ledger/post-transactions"
import { settleBlocks } from "#money/disputes/blocks"
import { findPaymentRow } from "#money/payments/reads"
import { postDrawing } from "#money/reserves/move"
import { closeRefundedUnmatchedPayment, reopenUnmatchedPayment } from "#money/unmatched-payments/return"
import type { UnmatchedPayment } from "#money/unmatched-payments/rules"
import { lockUnmatchedPayment } from "#money/unmatched-payments/unmatched"
import { notifyShops } from "#people/team/notify"
import { findPeople } from "#people/users/change-user"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { isAuthentic, renewMacs, reportForgedOrder } from "#platform/order-macs/macs"
import { type Psp, PspError, type PspRefund } from "#psp/psp"
import { recordRefunded } from "#selling/charges/end"
import { lockCharge } from "#selling/charges/find"
import type { Charge } from "#selling/charges/rules"
import { refundAuditOf, refundNotices } from "./list.ts"
import { findRefundRow, sumReturnedOfUncredited } from "./reads.ts"
import { byBankPostings, completedRefundPostings, type Refund, refundOrder, returnedPostings } from "./rules.ts"
import {
  claimProcessingRefunds,
  lockRefundRow,
  lockRefundsOfFormerKey,
  markSendingRefund,
  postponeProcessingRefund,
  updateRefund,
} from "./table.ts"

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

const BATCH = 8
/** Longer than all calls of one job run together, so that nobody else claims the refund meanwhile. */
const LEASE_SECONDS = 60
const LONGEST_SEND_PAUSE_SECONDS = 60
/** After about ten minutes without an answer an alarm is raised. */
const MANY_ATTEMPTS = 15

/** Hands refunds without a known outcome to the provider, and queries them until they have one. */
export async function settleRefunds(deps: Deps): Promise<void> {
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
async function settleRefund(deps: Deps, refund: Refund): Promise<void> {
  const answer = await askOrSend(deps, refund)
  const now = deps.clock.now()
  if (answer === null || answer.state === "under-way") {
    const until = secondsAfter(now, Math.min(2 ** refund.attempts, LONGEST_SEND_PAUSE_SECONDS))
    await deps.db.transaction().execute((tx) => postponeProcessingRefund(tx, refund.id, until))
    return
  }
  await deps.db.transaction().execute((tx) => recordOutcome(tx, refund, answer, { now, by: null }))
}

/** Null while the outcome is unknown. */
async function askOrSend({ db, psp, clock, log }: Deps, refund: Refund): Promise<PspRefund | null> {
  const { id, endToEndId, pspRefundId, amountCents, reason, attempts } = refund
  const stuck = attempts >= MANY_ATTEMPTS ? { alarm: "refund_stuck" } : {}
  try {
    const request = { endToEndId, pspRefundId, amountCents, description: reason }
    const known = await psp.findRefund(request)
    const now = clock.now()
    if (known === null && !(await db.transaction().execute((tx) => maySend(tx, refund, now)))) return null
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

/** Read right before the money leaves: what people have begun to settle, or only the database tells of, is never sent. */
async function maySend(tx: Tx, refund: Refund, now: Date): Promise<boolean> {
  if (isAuthentic(refundOrder(refund), refund.mac)) return (await markSendingRefund(tx, refund.id, now)) !== null
  await reportForgedOrder(tx, refundOrder(refund), now)
  return false
}

/**
 * Records the provider's final outcome of a refund that we requested. A repeated call finds it settled and moves
 * nothing. Unmatched payments before charges before refunds: every writer takes its locks in this order.
 */
export async function recordOutcome(tx: Tx, requested: Refund, outcome: PspRefund, recorded: Recorded): Promise<void> {
  const unmatched = await lockUnmatchedPayment(tx, requested.endToEndId)
  const charge = requested.chargeId === null ? null : await lockCharge(tx, requested.chargeId)
  const refund = await lockRefundRow(tx, requested.id)
  invariant(refund !== null && outcome.state !== "under-way", `refund ${requested.id} has no outcome`)
  if (refund.status === "completed") return
  if (outcome.state === "completed") return complete(tx, { refund, charge, unmatched }, outcome, recorded)
  if (isRefundUnderWay(refund.status)) await giveBack(tx, { refund, charge, unmatched }, outcome, recorded)
}

interface Recorded {
  now: Date
  /** The admin who says so in the bank's place; null for the bank's own answer. */
  by: Actor | null
}

/** Takes all locks of an outcome, in their order. */
export async function lockRefundWithPayment(tx: Tx, id: string): Promise<Refund | null> {
  const known = await findRefundRow(tx, id)
  if (known === null) return null
  await lockUnmatchedPayment(tx, known.endToEndId)
  if (known.chargeId !== null) await lockCharge(tx, known.chargeId)
  return lockRefundRow(tx, id)
}

interface Locked {
  refund: Refund
  charge: Charge | null
  unmatched: UnmatchedPayment | null
}

/** Also after a refusal that was taken as final: money that has left is booked as a debit by the bank. */
async function complete(
  tx: Tx,
  locked: Locked,
  { returnId, settledAt }: PspRefund,
  { now, by }: Recorded,
): Promise<void> {
  const { refund } = locked
  const changes = {
    status: "completed",
    processed_at: now,
    settled_at: by === null ? (settledAt ?? now) : null,
    next_attempt_at: null,
    return_id: returnId,
  } as const
  const completed = await updateRefund(tx, refund.id, changes)
  await followRefund(tx, { ...locked, refund: completed }, now)
  const isOverruled = refund.status === "refused"
  await postDrawing(tx, [
    isOverruled ? byBankPostings(completed, now) : completedRefundPostings(completed, now),
    ...(await settleBlocksOf(tx, locked, now)),
  ])
  await recordAudit(tx, refundAuditOf("refund.completed", refund, completed, by, now))
}

/** For a rotation of SECRETS_KEY; how many refunds got another MAC. */
export async function renewRefundMacs(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  const rows = await lockRefundsOfFormerKey(tx, secretKeys)
  return renewMacs(secretKeys, { rows, orderOf: refundOrder, save: ({ id }, mac) => updateRefund(tx, id, { mac }) })
}

/** Consequences of money returned, whoever began it. They lock totals, so they come before the ledger. */
export async function followRefund(tx: Tx, { refund, charge, unmatched }: Locked, now: Date): Promise<void> {
  const refunded = charge === null ? null : await recordRefunded(tx, charge, refund, now)
  await notifyShops(tx, refundNotices(refund, refunded, { at: now, person: await memberName(tx, refund) }), now)
  if (unmatched === null) return
  const isWhole = refunded === null ? await isAllReturned(tx, refund) : refunded.status === "refunded"
  await closeRefundedUnmatchedPayment(tx, unmatched, { refundId: refund.id, isWhole })
}

/** The payment's remaining amount has changed, and with it the amounts to block. */
async function settleBlocksOf(tx: Tx, { refund, charge }: Locked, now: Date): Promise<LedgerTransaction[]> {
  const payment = await findPaymentRow(tx, refund.endToEndId)
  invariant(payment !== null, `refund ${refund.id} has no payment`)
  return settleBlocks(tx, { payment, charge }, now)
}

async function isAllReturned(tx: Tx, { endToEndId }: Refund): Promise<boolean> {
  const payment = await findPaymentRow(tx, endToEndId)
  return payment?.amountCents === (await sumReturnedOfUncredited(tx, endToEndId))
}

async function giveBack(tx: Tx, locked: Locked, { reason }: PspRefund, { now, by }: Recorded): Promise<void> {
  const { refund, charge, unmatched } = locked
  const refused = await updateRefund(tx, refund.id, {
    status: "refused",
    processed_at: now,
    next_attempt_at: null,
    failure_reason: reason ?? "O banco recusou o estorno.",
    mac: null,
  })
  await postDrawing(tx, [returnedPostings(refused, now), ...(await settleBlocksOf(tx, locked, now))])
  await recordAudit(tx, refundAuditOf("refund.refused", refund, refused, by, now))
  await notifyShops(tx, refundNotices(refused, charge, { at: now, person: null }), now)
  if (unmatched !== null) await reopenUnmatchedPayment(tx, unmatched, refund.id)
}

/** The name of who of the team asked for it; null for the seller, an administrator and the bank. */
async function memberName(tx: Tx, { origin, requestedBy, sellerId }: Refund): Promise<string | null> {
  if (origin !== "seller" || requestedBy === null || requestedBy === sellerId) return null
  return (await findPeople(tx, [requestedBy])).get(requestedBy)?.name ?? null
}

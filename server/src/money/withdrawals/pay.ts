import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { invariant } from "#kit/errors"
import { inBatches } from "#kit/micro-batch"
import type { SecretKeys } from "#kit/secrets"
import { postTransactions } from "#ledger/post-transactions"
import { keepBanksAnswer } from "#money/destinations/owner"
import { findNotOwn } from "#money/destinations/reads"
import { notifyAllOwners } from "#people/team/notify"
import { getUser } from "#people/users/reads"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import { isAuthentic, renewedMac, reportForgedOrder } from "#platform/order-macs/macs"
import { readSetting } from "#platform/settings/reads"
import { type Psp, PspError, type PspPayout, type PspPayouts } from "#psp/psp"
import { creditCameBack, returnedByReceiver } from "./came-back.ts"
import { findProcessingByPayout } from "./reads.ts"
import { completedWithdrawalPostings, refusedPostings, sentPostings } from "./rules.ts"
import {
  claimApproved,
  claimProcessingWithdrawals,
  leaveApprovedToPeople,
  lockApproved,
  lockForReturn,
  lockWithdrawal,
  lockWithdrawalsOfFormerKey,
  markSending,
  postponeProcessingWithdrawal,
  updateWithdrawal,
} from "./table.ts"
import { approvalOrder, requestOrder, stepNotice, type Withdrawal, withdrawalAuditOf } from "./withdrawal.ts"

interface PayoutDeps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

const BATCH = 8

/** Books approved Pix withdrawals as under way first, then hands them to the provider. */
export async function sendPayouts({ psp, ...deps }: PayoutDeps): Promise<void> {
  const { payouts } = psp
  if (payouts === null) return deps.db.transaction().execute(leaveApprovedToPeople)
  const take = (now: Date) => deps.db.transaction().execute((tx) => takeApproved(tx, psp.name, now))
  await settleEach({ ...deps, payouts }, take)
}

/** Payouts that were, or may have been, handed over without a known outcome: queried until they have one. */
export async function settlePayouts({ psp, ...deps }: PayoutDeps): Promise<void> {
  const { payouts } = psp
  if (payouts === null) return
  const take = (now: Date) => deps.db.transaction().execute((tx) => takeProcessing(tx, psp.name, now))
  await settleEach({ ...deps, payouts }, take)
}

/** Settles payouts that a webhook or a list reported, without waiting for their next run. It sends nothing. */
export async function settleReportedPayouts({ psp, ...deps }: PayoutDeps, payoutIds: string[]): Promise<void> {
  const { name: provider, payouts } = psp
  if (payouts === null) return
  const reported = await findProcessingByPayout(deps.db, { provider, payoutIds })
  for (const withdrawal of reported) await settlePayout({ ...deps, payouts, onlyAsks: true }, withdrawal)
}

/** So often an approval that this platform never gave is looked at again, and its alarm raised. */
const FORGED_PAUSE_SECONDS = 3_600

/**
 * Nothing is taken while withdrawals are suspended, nor from inactive sellers, nor what only the database says was approved:
 * it waits as it is.
 */
async function takeApproved(tx: Tx, provider: string, now: Date): Promise<Withdrawal[]> {
  if (!(await readSetting(tx, "WITHDRAWALS_ENABLED"))) return []
  const claim = claimOf(provider, now)
  const taken = await claimApproved(tx, await lockAuthentic(tx, claim), claim)
  await postTransactions(
    tx,
    taken.map((withdrawal) => sentPostings(withdrawal, now)),
  )
  return taken
}

/** Ids of those to send. However many forged ones, or ones to others, are due, they keep no other waiting. */
async function lockAuthentic(tx: Tx, claim: ReturnType<typeof claimOf>): Promise<string[]> {
  for (;;) {
    const due = await lockApproved(tx, claim)
    const forged = due.filter((withdrawal) => !isApprovalAuthentic(withdrawal))
    for (const withdrawal of forged) {
      await updateWithdrawal(tx, withdrawal.id, { next_attempt_at: secondsAfter(claim.now, FORGED_PAUSE_SECONDS) })
      await reportForgedOrder(tx, approvalOrder(withdrawal), claim.now)
    }
    const notOwn = await findNotOwn(tx, due)
    for (const id of notOwn) {
      await updateWithdrawal(tx, id, { next_attempt_at: secondsAfter(claim.now, LONGEST_PAUSE_SECONDS) })
    }
    const ready = due.filter((withdrawal) => !forged.includes(withdrawal) && !notOwn.has(withdrawal.id))
    if (ready.length > 0 || due.length < BATCH) return ready.map(({ id }) => id)
  }
}

function isApprovalAuthentic(withdrawal: Withdrawal): boolean {
  return isAuthentic(approvalOrder(withdrawal), withdrawal.approvalMac)
}

async function takeProcessing(tx: Tx, provider: string, now: Date): Promise<Withdrawal[]> {
  return claimProcessingWithdrawals(tx, claimOf(provider, now))
}

function claimOf(provider: string, now: Date) {
  return { provider, now, leaseUntil: secondsAfter(now, LEASE_SECONDS), limit: BATCH }
}

/** A batch takes no longer than its slowest payout, well within the lease. */
async function settleEach(deps: SettleDeps, take: (now: Date) => Promise<Withdrawal[]>): Promise<void> {
  await inBatches({
    size: BATCH,
    take: () => take(deps.clock.now()),
    work: (withdrawal) => settlePayout(deps, withdrawal),
  })
}

interface SettleDeps {
  db: Db
  payouts: PspPayouts
  clock: Clock
  log: Logger
  /** Without a claim nobody sends: another worker may be about to. */
  onlyAsks?: boolean
}

/** Longer than all calls of one job run together, so that nobody else claims the payout meanwhile. */
const LEASE_SECONDS = 60

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
  const isHolderChecked = (await holderOf(deps, withdrawal)).holder !== undefined
  const recorded = { now, by: null, isHolderChecked }
  await deps.db.transaction().execute((tx) => recordPayoutOutcome(tx, withdrawal.id, payout, recorded))
}

/** Null while the outcome is unknown. */
async function askOrSend(deps: SettleDeps, withdrawal: Withdrawal): Promise<PspPayout | null> {
  const { payouts, log, onlyAsks = false } = deps
  const { payoutId, destination, amountCents, attempts, id } = withdrawal
  invariant(payoutId !== null && destination.method === "pix", `withdrawal ${id} is not paid by Pix`)
  const stuck = attempts >= MANY_ATTEMPTS ? { alarm: "payout_stuck" } : {}
  try {
    const request = { payoutId, pixKey: destination.pixKey, amountCents, description: "Saque" }
    const known = await payouts.find(payoutId)
    if (known === null && onlyAsks) return null
    if (known === null && !(await maySend(deps, withdrawal))) {
      log.info({ withdrawalId: id }, "a payout that the provider does not know waits for people")
      return null
    }
    const payout = known ?? (await payouts.send({ ...request, ...(await holderOf(deps, withdrawal)) }))
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

/**
 * The bank pays the seller's own keys alone, where it can tell. A registration knows a person's CPF: a CNPJ that may be
 * withdrawn to is its own holder.
 */
async function holderOf(
  { db, payouts }: SettleDeps,
  { sellerId, destination }: Withdrawal,
): Promise<{ holder?: string }> {
  if (payouts.checksHolder !== true) return {}
  if (destination.method === "pix" && destination.pixKey.kind === "cnpj") return { holder: destination.pixKey.key }
  const { cpf } = await getUser(db, sellerId)
  return cpf === "" ? {} : { holder: cpf }
}

/**
 * Read right before the money leaves, never cached: a payout taken before withdrawals were suspended, or before its
 * seller was inactivated, waits too, and one that a person has begun to settle is never sent again. Nor is one whose
 * approval the database alone tells of.
 */
async function maySend({ db, clock }: SettleDeps, withdrawal: Withdrawal): Promise<boolean> {
  if (!(await readSetting(db, "WITHDRAWALS_ENABLED"))) return false
  const now = clock.now()
  if (!isApprovalAuthentic(withdrawal)) {
    await db.transaction().execute((tx) => reportForgedOrder(tx, approvalOrder(withdrawal), now))
    return false
  }
  if ((await findNotOwn(db, [withdrawal])).has(withdrawal.id)) return false
  return (await db.transaction().execute((tx) => markSending(tx, withdrawal.id, now))) !== null
}

interface Recorded {
  now: Date
  /** The admin who says so in the bank's place; null for the bank's own answer. */
  by: Actor | null
  /** The bank paid the seller's own key, or nobody. */
  isHolderChecked?: boolean
}

/** A second call finds it settled, moves nothing, and answers null. */
export async function recordPayoutOutcome(
  tx: Tx,
  id: string,
  payout: PspPayout,
  { now, by, isHolderChecked = false }: Recorded,
): Promise<Withdrawal | null> {
  const processing = await lockWithdrawal(tx, id)
  if (processing?.status !== "processing") return null
  const isPaid = payout.state === "completed"
  const { returned } = payout
  if (!isPaid || returned !== undefined) await lockForReturn(tx, processing)
  const settled = await updateWithdrawal(tx, id, {
    status: isPaid ? "completed" : "rejected",
    processed_at: now,
    settled_at: isPaid && by === null ? (payout.settledAt ?? now) : null,
    end_to_end_id: payout.endToEndId,
    failure_reason: isPaid ? null : (payout.reason ?? "O banco recusou o pagamento."),
    next_attempt_at: null,
  })
  await postTransactions(tx, [isPaid ? completedWithdrawalPostings(processing, now) : refusedPostings(processing, now)])
  const action = isPaid ? "withdrawal.completed" : "withdrawal.refused"
  await recordAudit(tx, withdrawalAuditOf(action, processing, settled, by, now))
  await notifyAllOwners(tx, [stepNotice(settled, isPaid ? "completed" : "rejected", now)], now)
  await appendEvents(tx, isPaid ? "withdrawal.completed" : "withdrawal.rejected", [id], now)
  if (isPaid && isHolderChecked) await keepBanksAnswer(tx, settled, now)
  return isPaid && returned !== undefined ? creditReturned(tx, settled, returned.amountCents, now) : settled
}

/** A receiver may have sent it back before the bank was asked; more than was paid is no part of it. */
async function creditReturned(tx: Tx, settled: Withdrawal, amountCents: Cents | null, now: Date): Promise<Withdrawal> {
  const returnedCents = amountCents ?? settled.amountCents
  if (returnedCents > settled.amountCents) return settled
  return creditCameBack(tx, settled, { returnedCents, reason: returnedByReceiver, actor: null }, now)
}

const RENEWED_AT_ONCE = 1_000

/** For a rotation of SECRETS_KEY; how many withdrawals got other MACs. */
export async function renewWithdrawalMacs(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  let count = 0
  for (let after: string | null = null; ; ) {
    const former = await lockWithdrawalsOfFormerKey(tx, secretKeys, { after, limit: RENEWED_AT_ONCE })
    for (const withdrawal of former) {
      const { id, requestMac, approvalMac } = withdrawal
      const request_mac = renewedMac(secretKeys, requestOrder(withdrawal), requestMac)
      const approval_mac = renewedMac(secretKeys, approvalOrder(withdrawal), approvalMac)
      if (request_mac === requestMac && approval_mac === approvalMac) continue
      await updateWithdrawal(tx, id, { request_mac, approval_mac })
      count += 1
    }
    const last: Withdrawal | undefined = former.at(-1)
    if (last === undefined) return count
    after = last.id
  }
}

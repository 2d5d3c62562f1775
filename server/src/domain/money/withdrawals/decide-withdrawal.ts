import { holdReasonLabels } from "@tilinta/contract/vocabulary/withdrawal-holds"
import { isDecidable } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { Db, Tx } from "#db/transaction"
import { findFrozen } from "#domain/people/freezes/find-frozen"
import type { SecondApproval } from "#domain/people/second-approvals/second-approval"
import { getUser } from "#domain/people/users/get-user"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { momentText } from "#domain/platform/mails/mail-content"
import { tellOwner } from "#domain/platform/mails/tell-owner"
import { readWithdrawalsEnabled } from "#domain/platform/settings/read-setting"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/protection"
import { postTransactions } from "#ledger/post-transactions"
import type { Psp } from "#psp/psp"
import { approveTogether, refuseFirstApprover } from "./approve-together.ts"
import { holdForReturn } from "./hold-for-return.ts"
import type { Withdrawal } from "./withdrawal.ts"
import { withdrawalAuditOf } from "./withdrawal-audit.ts"
import { stepNotice } from "./withdrawal-notices.ts"
import { paidByHandPostings, returnPostings } from "./withdrawal-postings.ts"
import { lockWithdrawal, updateWithdrawal } from "./withdrawals-repository.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface Decision {
  id: string
  admin: Actor
  /** Empty when the admin wrote none: the earlier note then stays. */
  adminNotes: string
}

export interface DecidedWithdrawal {
  withdrawal: Withdrawal
}

interface ApprovedWithdrawal extends DecidedWithdrawal {
  /** The first approval, when the withdrawal is still pending; null once it is approved. */
  waits: SecondApproval | null
}

const approvalsStopped = "Os saques estão suspensos (configuração WITHDRAWALS_ENABLED). Ative-os para aprovar."

/** A Pix is sent by the next run of send-payouts; what the provider can't send waits to be paid by hand. */
export async function approveWithdrawal(
  { db, clock, psp, protection }: Deps & { psp: Pick<Psp, "payouts">; protection: Protection },
  decision: Decision,
): Promise<ApprovedWithdrawal> {
  const now = clock.now()
  const sendsPix = psp.payouts !== null
  return db.transaction().execute((tx) => approve(tx, { ...decision, sendsPix, protection }, now))
}

/** Runs in the caller's transaction, for one of several or a single one. */
export async function approve(
  tx: Tx,
  decision: Decision & { sendsPix: boolean; protection: Protection },
  now: Date,
): Promise<ApprovedWithdrawal> {
  const pending = await lockPending(tx, decision)
  if (!(await readWithdrawalsEnabled(tx))) throw new DomainError("withdrawals_disabled", { message: approvalsStopped })
  const seller = await getUser(tx, pending.sellerId)
  if (!seller.active) throw new DomainError("withdrawal_seller_inactive")
  await refuseWhileFrozen(tx, pending)
  refuseWhileHeld(pending, now)
  const { waits, agreed } = await approveTogether(tx, pending, { ...decision, sellerName: seller.name }, now)
  if (waits !== null) return { withdrawal: pending, waits }
  const approved = await updateWithdrawal(tx, pending.id, {
    status: "approved",
    approved_at: now,
    decided_by: decision.admin.id,
    first_approved_by: agreed?.askedBy ?? null,
    ...notesOf(decision),
    next_attempt_at: decision.sendsPix && pending.destination.method === "pix" ? now : null,
  })
  await recordAudit(tx, withdrawalAuditOf("withdrawal.approved", pending, approved, decision.admin, now))
  await tellOwner(tx, stepNotice(approved, "approved", now), now)
  await appendEvents(tx, "withdrawal.approved", [approved.id], now)
  return { withdrawal: approved, waits: null }
}

export async function rejectWithdrawal({ db, clock }: Deps, decision: Decision): Promise<DecidedWithdrawal> {
  const now = clock.now()
  return db.transaction().execute((tx) => reject(tx, decision, now))
}

async function reject(tx: Tx, decision: Decision, now: Date): Promise<DecidedWithdrawal> {
  const pending = await lockPending(tx, decision)
  await holdForReturn(tx, pending)
  const rejected = await updateWithdrawal(tx, pending.id, {
    status: "rejected",
    processed_at: now,
    decided_by: decision.admin.id,
    ...notesOf(decision),
  })
  await postTransactions(tx, [returnPostings(pending, now)])
  await recordAudit(tx, withdrawalAuditOf("withdrawal.rejected", pending, rejected, decision.admin, now))
  await tellOwner(tx, stepNotice(rejected, "rejected", now), now)
  await appendEvents(tx, "withdrawal.rejected", [rejected.id], now)
  return { withdrawal: rejected }
}

/** Records a payment made by hand from our account at this provider. */
export async function completePaidByHand(
  { db, clock, psp }: Deps & { psp: Pick<Psp, "name"> },
  decision: Decision,
): Promise<DecidedWithdrawal> {
  const now = clock.now()
  return db.transaction().execute((tx) => complete(tx, { ...decision, provider: psp.name }, now))
}

async function complete(tx: Tx, decision: Decision & { provider: string }, now: Date): Promise<DecidedWithdrawal> {
  const approved = await lockForeign(tx, decision)
  await refuseFirstApprover(tx, approved, decision.admin, now)
  if (approved.status !== "approved" || !approved.isPaidByHand) throw new DomainError("withdrawal_not_completable")
  await refuseWhileFrozen(tx, approved)
  refuseWhileHeld(approved, now)
  const { provider } = decision
  const changes = { status: "completed", processed_at: now, provider, ...notesOf(decision) } as const
  const completed = await updateWithdrawal(tx, approved.id, changes)
  await postTransactions(tx, [paidByHandPostings(completed, now)])
  await recordAudit(tx, withdrawalAuditOf("withdrawal.completed", approved, completed, decision.admin, now))
  await tellOwner(tx, stepNotice(completed, "completed", now), now)
  await appendEvents(tx, "withdrawal.completed", [completed.id], now)
  return { withdrawal: completed }
}

/** A freeze is written before the row's lock is asked for: this check, under that lock, misses none. */
async function refuseWhileFrozen(tx: Tx, { sellerId }: Withdrawal): Promise<void> {
  const frozen = await findFrozen(tx, [sellerId])
  if (frozen.size > 0) throw new DomainError("withdrawals_frozen", { message: accountFrozen })
}

function refuseWhileHeld({ heldUntil, holdReasons }: Withdrawal, now: Date): void {
  if (heldUntil === null || heldUntil <= now) return
  const reasons = holdReasons.map((reason) => holdReasonLabels[reason].toLowerCase()).join("; ")
  const message = `Este saque espera até ${momentText(heldUntil.toISOString())} (${reasons}). Não pague antes.`
  throw new DomainError("withdrawal_held", { message })
}

const accountFrozen =
  "O titular congelou os saques desta conta: não pague. Ela precisa ser liberada antes, ou o saque devolvido."

async function lockPending(tx: Tx, decision: Decision): Promise<Withdrawal> {
  const withdrawal = await lockForeign(tx, decision)
  if (!isDecidable(withdrawal.status)) throw new DomainError("withdrawal_not_pending")
  return withdrawal
}

/** Admins never decide about their own withdrawals. */
export async function lockForeign(tx: Tx, { id, admin }: Pick<Decision, "id" | "admin">): Promise<Withdrawal> {
  const withdrawal = isId(id) ? await lockWithdrawal(tx, id) : null
  if (withdrawal === null) throw new DomainError("withdrawal_not_found")
  if (withdrawal.sellerId === admin.id) throw new DomainError("own_withdrawal")
  return withdrawal
}

function notesOf({ adminNotes }: Decision): { admin_notes?: string } {
  return adminNotes === "" ? {} : { admin_notes: adminNotes }
}

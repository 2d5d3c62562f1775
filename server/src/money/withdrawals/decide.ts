import { approvalRefusals } from "@tilinta/contract/admin-withdrawals"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { isDecidable, isEndToEndId, waitReasonsText } from "@tilinta/contract/vocabulary/withdrawals"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { isBelowFloor, postTransactions } from "#ledger/post-transactions"
import { findNotOwn } from "#money/destinations/reads"
import { recordHandPayout } from "#money/hand-payouts/finish"
import { findFrozen } from "#people/freezes/freeze"
import {
  askSecondPerson,
  findFirstApprovals,
  refuseFirstPerson,
  requireTrusted,
  type SecondWord,
  trustedApprovers,
} from "#people/second-approvals/approve"
import type { SecondApproval } from "#people/second-approvals/rules"
import { notifyAllOwners } from "#people/team/notify"
import { getUser } from "#people/users/reads"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { momentText } from "#platform/mails/mail-content"
import { actOnOrder, macOf, requireAuthentic } from "#platform/order-macs/macs"
import { readSetting } from "#platform/settings/reads"
import type { Psp } from "#psp/psp"
import { approveAct, findGrave, findListedWithdrawals, type ListedWithdrawal, type NamedLists } from "./admin-reads.ts"
import { noApprovals, paidByHandPostings, returnPostings, type WaitFacts, waitReasonsOf } from "./rules.ts"
import { lockApprovalSums, lockForReturn, lockWithdrawal, updateWithdrawal } from "./table.ts"
import {
  approvalOrder,
  type Destination,
  requestOrder,
  sharedTargetOf,
  stepNotice,
  type Withdrawal,
  withdrawalAuditOf,
} from "./withdrawal.ts"

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

interface Completion extends Decision {
  /** As the bank names the payment; null where nobody told it. */
  bankId?: string | null
  /** The bank's own file that shows the payment. */
  provenBy?: "statement" | "return" | null
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
  return actOnOrder({ db, clock }, (tx) => approve(tx, { ...decision, sendsPix, protection }, now))
}

/** Runs in the caller's transaction, for one of several or a single one. */
async function approve(
  tx: Tx,
  decision: Decision & { sendsPix: boolean; protection: Protection },
  now: Date,
): Promise<ApprovedWithdrawal> {
  const pending = await lockPending(tx, decision)
  requireAuthentic(requestOrder(pending), pending.requestMac)
  const seller = await getUser(tx, pending.sellerId)
  refuseWhileItWaits(pending, await readWaitFacts(tx, pending, seller.active, now))
  const { waits, agreed } = await approveTogether(tx, pending, { ...decision, sellerName: seller.name }, now)
  if (waits !== null) return { withdrawal: pending, waits }
  const approval = { approvedAt: now, decidedBy: decision.admin.id, firstApprovedBy: agreed?.askedBy ?? null }
  const approved = await updateWithdrawal(tx, pending.id, {
    status: "approved",
    approved_at: approval.approvedAt,
    decided_by: approval.decidedBy,
    first_approved_by: approval.firstApprovedBy,
    approval_mac: macOf(approvalOrder({ ...pending, ...approval })),
    ...notesOf(decision),
    next_attempt_at: decision.sendsPix && pending.destination.method === "pix" ? now : null,
  })
  await recordAudit(tx, withdrawalAuditOf("withdrawal.approved", pending, approved, decision.admin, now))
  await notifyAllOwners(tx, [stepNotice(approved, "approved", now)], now)
  await appendEvents(tx, "withdrawal.approved", [approved.id], now)
  return { withdrawal: approved, waits: null }
}

export async function rejectWithdrawal({ db, clock }: Deps, decision: Decision): Promise<DecidedWithdrawal> {
  const now = clock.now()
  return db
    .transaction()
    .execute((tx) => reject(tx, decision, now))
    .catch((error: unknown) => {
      // The seller has less on its way out than the row says: somebody rewrote it.
      throw isBelowFloor(error) ? new DomainError("order_not_authentic", { cause: error }) : error
    })
}

async function reject(tx: Tx, decision: Decision, now: Date): Promise<DecidedWithdrawal> {
  const pending = await lockPending(tx, decision)
  await lockForReturn(tx, pending)
  const rejected = await updateWithdrawal(tx, pending.id, {
    status: "rejected",
    processed_at: now,
    decided_by: decision.admin.id,
    ...notesOf(decision),
  })
  await postTransactions(tx, [returnPostings(pending, now)])
  await recordAudit(tx, withdrawalAuditOf("withdrawal.rejected", pending, rejected, decision.admin, now))
  await notifyAllOwners(tx, [stepNotice(rejected, "rejected", now)], now)
  await appendEvents(tx, "withdrawal.rejected", [rejected.id], now)
  return { withdrawal: rejected }
}

/** Records a payment made by hand from our account at this provider. */
export async function completePaidByHand(
  { db, clock, psp }: Deps & { psp: Pick<Psp, "name"> },
  completion: Completion,
): Promise<DecidedWithdrawal> {
  const now = clock.now()
  return actOnOrder({ db, clock }, (tx) => complete(tx, { ...completion, provider: psp.name }, now))
}

async function complete(tx: Tx, completion: Completion & { provider: string }, now: Date): Promise<DecidedWithdrawal> {
  const approved = await lockPayableByHand(tx, completion, now)
  const { admin, provider, bankId = null, provenBy = null } = completion
  await recordHandPayout(tx, { withdrawalId: approved.id, adminId: admin.id, bankId, provenBy, now })
  const completed = await updateWithdrawal(tx, approved.id, {
    status: "completed",
    processed_at: now,
    provider,
    end_to_end_id: bankId !== null && isEndToEndId(bankId) ? bankId : null,
    ...notesOf(completion),
  })
  await postTransactions(tx, [paidByHandPostings(completed, now)])
  await recordAudit(tx, withdrawalAuditOf("withdrawal.completed", approved, completed, admin, now))
  await notifyAllOwners(tx, [stepNotice(completed, "completed", now)], now)
  await appendEvents(tx, "withdrawal.completed", [completed.id], now)
  return { withdrawal: completed }
}

/** Approved as it stands, to be paid by a person, and held back by nothing. */
export async function lockPayableByHand(
  tx: Tx,
  { id, admin, provenBy = null }: Pick<Completion, "id" | "admin" | "provenBy">,
  now: Date,
): Promise<Withdrawal> {
  const approved = await lockForeign(tx, { id, admin })
  await refuseFirstApprover(tx, approved, admin, now)
  if (approved.status !== "approved" || !approved.isPaidByHand) throw new DomainError("withdrawal_not_completable")
  requireAuthentic(approvalOrder(approved), approved.approvalMac)
  const seller = await getUser(tx, approved.sellerId)
  const facts = await readWaitFacts(tx, approved, seller.active, now)
  if (provenBy === null) refuseWhileItWaits(approved, facts)
  else refuseProvenWhileItWaits(approved, facts)
  return approved
}

/** Call it for an authentic order. A freeze is written before the row's lock is asked for: read under that lock, none is missed. */
async function readWaitFacts(tx: Tx, withdrawal: Withdrawal, isSellerActive: boolean, now: Date): Promise<WaitFacts> {
  const { sellerId } = withdrawal
  return {
    now,
    isEnabled: await readSetting(tx, "WITHDRAWALS_ENABLED"),
    isSellerActive,
    isSellerFrozen: (await findFrozen(tx, [sellerId])).size > 0,
    isAuthentic: true,
    isNotOwn: (await findNotOwn(tx, [withdrawal])).has(withdrawal.id),
    approvals: noApprovals,
  }
}

function refuseWhileItWaits(withdrawal: Withdrawal, facts: WaitFacts): void {
  const reasons = waitReasonsOf(withdrawal, facts)
  if (reasons.includes("withdrawals_disabled")) {
    throw new DomainError("withdrawals_disabled", { message: approvalsStopped })
  }
  if (reasons.includes("seller_inactive")) throw new DomainError("withdrawal_seller_inactive")
  if (reasons.includes("account_frozen")) throw new DomainError("withdrawals_frozen", { message: accountFrozen })
  if (reasons.includes("not_own")) throw new DomainError("destination_not_own", { message: notOwn })
  const { heldUntil } = withdrawal
  if (heldUntil === null || reasons.length === 0) return
  const message = `Este saque espera até ${momentText(heldUntil.toISOString())} (${waitReasonsText(reasons)}). Não pague antes.`
  throw new DomainError("withdrawal_held", { message })
}

/** Its money has left, so nothing may tell anybody to give it back. */
function refuseProvenWhileItWaits(withdrawal: Withdrawal, facts: WaitFacts): void {
  const reasons = waitReasonsOf(withdrawal, facts)
  if (reasons.length === 0) return
  const message = `O banco já pagou este saque, que ainda não podia sair (${waitReasonsText(reasons)}). Não o devolva nem pague de novo: marque-o como pago quando nada mais o segurar.`
  throw new DomainError("withdrawal_held", { message })
}

const notOwn =
  "O destino é de outra pessoa, e só se paga ao próprio vendedor (configuração OWN_NAME_ONLY): não pague. Rejeite ou devolva o saque, ou confirme o titular."

const accountFrozen =
  "O titular congelou os saques desta conta: não pague. Ela precisa ser liberada antes, ou o saque devolvido, se o extrato do banco não o mostra pago."

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

const alone: SecondWord = { waits: null, agreed: null }

interface Approver {
  admin: Actor
  sellerName: string
  protection: Protection
}

/** A large withdrawal needs two administrators. Call it under the withdrawal's lock, after its rules. */
async function approveTogether(
  tx: Tx,
  withdrawal: Withdrawal,
  { admin, sellerName, protection }: Approver,
  now: Date,
): Promise<SecondWord> {
  const { id } = withdrawal
  if (protection === "relaxed") return alone
  requireTrusted(await trustedApprovers(tx, now), admin.id)
  await lockApprovalSums(tx, [withdrawal.sellerId, sharedTargetOf(withdrawal.destination)])
  if (!(await findGrave(tx, [withdrawal], now)).has(id)) return alone
  const changes = [
    { field: "amount", before: null, after: reaisFromCents(withdrawal.amountCents) },
    { field: "destination", before: null, after: destinationText(withdrawal.destination) },
  ]
  const approval = { act: approveAct, subjectId: id, subjectName: sellerName, changes, by: admin, protection } as const
  return askSecondPerson(tx, approval, now)
}

function destinationText(destination: Destination): string {
  if (destination.method === "pix") return destination.pixKey.key
  const { bank, agency, account } = destination.bankData
  return [bank, agency, account].join(", ")
}

/** The first approver of a pending withdrawal can't end it in another way, either. */
async function refuseFirstApprover(tx: Tx, { id, status }: Withdrawal, admin: Actor, now: Date): Promise<void> {
  if (status === "pending") await refuseFirstPerson(tx, { act: approveAct, subjectId: id, by: admin }, now)
}

async function isFirstApprover(db: Db, id: string, admin: Actor, now: Date): Promise<boolean> {
  return (await findFirstApprovals(db, approveAct, [id], now)).get(id)?.askedBy === admin.id
}

interface BatchDeps extends NamedLists {
  psp: Pick<Psp, "payouts">
}

interface Batch {
  ids: readonly string[]
  admin: Actor
  adminNotes: string
  /** The same key with the same input returns the first result, and finishes what it left undone. */
  idempotencyKey: string | null
}

type Refusal = (typeof approvalRefusals)[number]

export interface Approval {
  id: string
  /** Null when it was approved. */
  refusal: Refusal | null
  /** True when this was the first of two approvals: the refusal then names what is missing. */
  isHalf: boolean
  /** The present state, whoever caused it. */
  withdrawal: ListedWithdrawal | null
}

/** Approves each independently: one that can't be approved, or that somebody else decided first, stops no other. */
export async function approveWithdrawals(deps: BatchDeps, batch: Batch): Promise<Approval[]> {
  const ids = [...new Set(batch.ids)]
  await deps.db.transaction().execute((tx) => claimBatch(tx, batch, ids))
  const outcomes = new Map<string, BatchOutcome>()
  for (const id of ids) outcomes.set(id, await approveOne(deps, batch, id))
  const now = await findListedWithdrawals(deps, ids.filter(isId))
  return ids.map((id) => ({
    id,
    ...(outcomes.get(id) ?? approved),
    withdrawal: now.find((withdrawal) => withdrawal.id === id) ?? null,
  }))
}

async function claimBatch(tx: Tx, { admin, adminNotes, idempotencyKey }: Batch, ids: string[]): Promise<void> {
  const request = { approvals: { ids, adminNotes } }
  await claimIdempotencyKey(tx, { ownerId: admin.id, key: idempotencyKey, request, resourceId: newId() })
}

type BatchOutcome = Pick<Approval, "refusal" | "isHalf">

const approved: BatchOutcome = { refusal: null, isHalf: false }

const half: BatchOutcome = { refusal: "second_approver_needed", isHalf: true }

async function approveOne({ db, clock, psp, protection }: BatchDeps, batch: Batch, id: string): Promise<BatchOutcome> {
  const now = clock.now()
  const decision = { id, admin: batch.admin, adminNotes: batch.adminNotes, sendsPix: psp.payouts !== null, protection }
  const key = batch.idempotencyKey === null ? null : `${batch.idempotencyKey}:${id}`
  try {
    return await actOnOrder({ db, clock }, (tx) => approveOnce(tx, { ...decision, key }, now))
  } catch (error) {
    const refusal = approvalRefusals.find((code) => error instanceof DomainError && error.code === code)
    if (refusal === undefined) throw error
    return { refusal, isHalf: false }
  }
}

type Order = Parameters<typeof approve>[1] & { key: string | null }

/** A refusal stores no key, so a known key means approval, or a first one that still waits. */
async function approveOnce(tx: Tx, { key, ...decision }: Order, now: Date): Promise<BatchOutcome> {
  const approvalId = newId()
  const { id, admin, adminNotes } = decision
  const request = { approval: { id, adminNotes } }
  const firstId = await claimIdempotencyKey(tx, { ownerId: admin.id, key, request, resourceId: approvalId })
  if (firstId !== approvalId) return (await isFirstApprover(tx, id, admin, now)) ? half : approved
  return (await approve(tx, decision, now)).waits === null ? approved : half
}

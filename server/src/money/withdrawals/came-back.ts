import { type Cents, noMoney, reaisFromCents, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import { type LedgerTransaction, postTransactions } from "#ledger/post-transactions"
import { findNotOwn } from "#money/destinations/reads"
import { endClaim, requireUnpaid } from "#money/hand-payouts/finish"
import { findHandPayouts } from "#money/hand-payouts/reads"
import { endOpenEntry } from "#money/remittances/entries"
import { postDrawing } from "#money/reserves/move"
import { askSecondPerson } from "#people/second-approvals/approve"
import type { SecondApproval } from "#people/second-approvals/rules"
import { notifyAllOwners } from "#people/team/notify"
import { getUser } from "#people/users/reads"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import { actOnOrder, isAuthentic, requireAuthentic } from "#platform/order-macs/macs"
import { type ListedPayout, type Psp, PspError } from "#psp/psp"
import { type DecidedWithdrawal, lockForeign } from "./decide.ts"
import { findByPayoutIds, findSettledAsNotPaid } from "./reads.ts"
import { cameBackPostings, isReturnable, paidAfterRefusalPostings, returnPostings } from "./rules.ts"
import { lockForReturn, lockWithdrawal, updateWithdrawal } from "./table.ts"
import { approvalOrder, stepNotice, type Withdrawal, withdrawalAuditOf } from "./withdrawal.ts"

interface CameBack {
  /** All that has come back so far: the same figure again moves nothing. */
  returnedCents: Cents
  reason: string
  /** Null for the platform, acting on the provider's report. */
  actor: Actor | null
}

/** Credits what came back of a paid withdrawal. The caller holds the row's lock. */
export async function creditCameBack(
  tx: Tx,
  paid: Withdrawal,
  { returnedCents, reason, actor }: CameBack,
  now: Date,
): Promise<Withdrawal> {
  if (returnedCents <= paid.returnedCents) return paid
  invariant(returnedCents <= paid.amountCents, `more came back of withdrawal ${paid.id} than was paid`)
  const amountCents = subtractCents(returnedCents, paid.returnedCents)
  return putBack(tx, paid, {
    returnedCents,
    reason,
    actor,
    status: returnedCents === paid.amountCents ? "rejected" : "completed",
    postings: cameBackPostings(paid, { amountCents, returnedCents }, now),
    now,
  })
}

interface PutBack extends CameBack {
  status: "rejected" | "completed"
  postings: LedgerTransaction
  now: Date
}

/** The one way by which an approved withdrawal goes back to the balance: mail, audit and ledger. */
async function putBack(tx: Tx, before: Withdrawal, back: PutBack): Promise<Withdrawal> {
  const { returnedCents, reason, actor, status, postings, now } = back
  await lockForReturn(tx, before)
  const after = await updateWithdrawal(tx, before.id, {
    status,
    returned_cents: returnedCents,
    returned_at: now,
    return_reason: reason,
    processed_at: before.processedAt ?? now,
    next_attempt_at: null,
  })
  const wasPaid = before.status === "completed"
  const notice = {
    kind: "withdrawal_returned",
    withdrawalId: before.id,
    amountCents: before.amountCents,
    returnedCents: wasPaid ? subtractCents(returnedCents, before.returnedCents) : before.amountCents,
    method: before.destination.method,
    reason,
    wasPaid,
    returnedAt: now.toISOString(),
  } as const
  const dedupeKey = `withdrawal-returned:${before.id}:${returnedCents}`
  await notifyAllOwners(tx, [{ userId: before.sellerId, about: `withdrawal:${before.id}`, notice, dedupeKey }], now)
  await postTransactions(tx, [postings])
  await recordAudit(tx, withdrawalAuditOf("withdrawal.returned", before, after, actor, now))
  await appendEvents(tx, "withdrawal.returned", [after.id], now)
  return after
}

type ReportedReturn = Pick<ListedPayout, "payoutId" | "amountCents" | "returned">

export const returnedByReceiver = "Quem recebeu o Pix devolveu o valor."

/** Credits sellers with what receivers sent back. Returns the payouts that were credited now. */
export async function recordReturnedPayouts<Payout extends ReportedReturn>(
  deps: BankDeps,
  reported: readonly Payout[],
): Promise<Payout[]> {
  const returned = new Map(
    reported.flatMap((payout) => (payout.payoutId && payout.returned ? [[payout.payoutId, payout] as const] : [])),
  )
  const ours = await findByPayoutIds(deps.db, [...returned.keys()])
  const credited: Payout[] = []
  for (const withdrawal of ours) {
    const payout = returned.get(withdrawal.payoutId ?? "")
    if (payout !== undefined && (await creditReturn(deps, withdrawal, payout))) credited.push(payout)
  }
  return credited
}

/** A webhook said that these came back. Returns those that could not be asked about. */
export async function askAboutReturnedPayouts(deps: BankDeps, payoutIds: readonly string[]): Promise<Set<string>> {
  const failed = new Set<string>()
  const ours = await findByPayoutIds(deps.db, [...payoutIds])
  for (const { payoutId, status } of ours) {
    if (payoutId === null || status !== "completed") continue
    try {
      const payout = await deps.psp.payouts?.find(payoutId)
      if (payout) await recordReturnedPayouts(deps, [{ ...payout, payoutId }])
    } catch (error) {
      if (!(error instanceof PspError)) throw error
      failed.add(payoutId)
    }
  }
  return failed
}

/** False when nothing moved. */
async function creditReturn(deps: BankDeps, withdrawal: Withdrawal, payout: ReportedReturn): Promise<boolean> {
  const { db, psp, clock, log } = deps
  const { id, amountCents, status, provider } = withdrawal
  const returnedCents = payout.returned?.amountCents ?? amountCents
  if (status !== "completed" || provider !== psp.name || returnedCents <= withdrawal.returnedCents) return false
  if (returnedCents > amountCents || (payout.amountCents ?? amountCents) !== amountCents) {
    log.error({ alarm: "payout_return_mismatch", withdrawalId: id }, "more came back of a payout than was sent")
    return false
  }
  const now = clock.now()
  const isNew = await db.transaction().execute((tx) => creditReturnOnce(tx, { id, returnedCents }, now))
  if (isNew) log.warn({ withdrawalId: id, returnedCents }, "a payout came back from its receiver")
  return isNew
}

/** The amount says how much has come back so far, so two reports of it at once credit it once. */
async function creditReturnOnce(tx: Tx, { id, returnedCents }: { id: string; returnedCents: Cents }, now: Date) {
  const paid = await lockWithdrawal(tx, id)
  if (paid?.status !== "completed" || returnedCents <= paid.returnedCents) return false
  await creditCameBack(tx, paid, { returnedCents, reason: returnedByReceiver, actor: null }, now)
  return true
}

interface ReturnDeps {
  db: Db
  clock: Clock
  psp: Pick<Psp, "payouts">
  protection: Protection
}

interface Return {
  id: string
  admin: Actor
  /** The seller reads it. */
  reason: string
  /** The administrator has looked at the bank: it was not paid, whatever speaks for it. */
  isChecked?: boolean
  /** As the administrator saw it: somebody may have marked it as paid since. Null where nobody says. */
  seenAs?: "approved" | "completed" | null
  /** The line of a remittance of which the bank says so: it gives back what it paid itself. */
  line?: { sequence: number; line: number; bankId: string; isPaid: boolean } | null
}

interface ReturnedWithdrawal extends DecidedWithdrawal {
  /** The first approval, when nothing has changed yet; null once the money is back. */
  waits: SecondApproval | null
}

/** Puts an approved payment by hand back into the balance: it can't be made, or it was made and came back. */
export async function returnWithdrawal(
  { db, clock, psp, protection }: ReturnDeps,
  input: Return,
): Promise<ReturnedWithdrawal> {
  const now = clock.now()
  const { payouts } = psp
  return actOnOrder({ db, clock }, (tx) => putBackOnce(tx, input, { payouts, protection, now }))
}

async function putBackOnce(
  tx: Tx,
  { id, admin, reason, isChecked = false, seenAs = null, line = null }: Return,
  { payouts, protection, now }: Pick<Psp, "payouts"> & Pick<ReturnDeps, "protection"> & { now: Date },
): Promise<ReturnedWithdrawal> {
  const withdrawal = await lockForeign(tx, { id, admin })
  const order = approvalOrder(withdrawal)
  const isNotOwn = (await findNotOwn(tx, [withdrawal])).has(id)
  const facts = { payouts, isAuthentic: isAuthentic(order, withdrawal.approvalMac), isNotOwn }
  if (!isReturnable(withdrawal, facts)) throw new DomainError("withdrawal_not_returnable")
  if (seenAs !== null && seenAs !== withdrawal.status) {
    throw new DomainError("withdrawal_not_returnable", { message: changedSince })
  }
  // A payment comes back from outside: a row that says so alone would make balance of nothing.
  if (withdrawal.status === "completed") {
    requireAuthentic(order, withdrawal.approvalMac)
    const isOther = line !== null && !line.isPaid
    if (isOther && (await findHandPayouts(tx, [id], now)).get(id)?.bankId !== line.bankId) {
      throw new DomainError("withdrawal_not_returnable", { message: paidOtherwise })
    }
  }
  // Somebody who is paying it would pay what is back in the balance.
  const payout = await requireUnpaid(tx, { withdrawal, adminId: admin.id, isChecked, answered: line, now })
  const waits = await askAbout(tx, { withdrawal, admin, reason, protection }, now)
  // The first of two people may be wrong about what another one began: the second looks at the bank as well.
  if (payout !== null && (waits === null || payout.claimedBy === admin.id)) await endClaim(tx, payout)
  if (waits !== null) return { withdrawal, waits }
  if (isChecked) await endOpenEntry(tx, id, "dropped")
  const back =
    withdrawal.status === "completed"
      ? await creditCameBack(tx, withdrawal, { returnedCents: withdrawal.amountCents, reason, actor: admin }, now)
      : await putBack(tx, withdrawal, {
          returnedCents: noMoney,
          reason,
          actor: admin,
          status: "rejected",
          postings: returnPostings(withdrawal, now),
          now,
        })
  return { withdrawal: back, waits: null }
}

const changedSince = "Este saque mudou enquanto isso: veja como está agora, e só devolva o que não foi pago ou voltou."

const paidOtherwise =
  "Este saque consta como pago de outra forma: o que voltou pode ser um segundo pagamento. Confira no extrato antes de devolver."

interface AboutReturn extends Pick<Return, "admin" | "reason">, Pick<ReturnDeps, "protection"> {
  withdrawal: Withdrawal
}

/** For any amount: balance appears by a person's word alone, while the bank may have paid. */
async function askAbout(
  tx: Tx,
  { withdrawal, admin, reason, protection }: AboutReturn,
  now: Date,
): Promise<SecondApproval | null> {
  const { id, sellerId, amountCents, returnedCents, status } = withdrawal
  const seller = await getUser(tx, sellerId)
  const changes = [
    { field: "amount", before: null, after: reaisFromCents(subtractCents(amountCents, returnedCents)) },
    { field: "status", before: status, after: "rejected" },
    { field: "reason", before: null, after: reason },
  ]
  const about = { act: "withdrawal.return", subjectId: id, subjectName: seller.name, changes } as const
  return (await askSecondPerson(tx, { ...about, by: admin, protection }, now)).waits
}

interface BankDeps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

type ReportedPayout = Omit<ListedPayout, "requestedAt">

const paidAfterRefusalNote =
  "O banco pagou este saque depois de ele ter sido dado como não pago: o valor, que tinha voltado ao saldo, saiu de novo."

/**
 * Books payouts that the provider paid although they were taken as not paid, by its own word or by a person's. Returns
 * those that were booked now.
 */
export async function recordPaidAfterRefusal<Payout extends ReportedPayout>(
  deps: BankDeps,
  reported: readonly Payout[],
): Promise<Payout[]> {
  const paid = new Map(
    reported.flatMap((payout) =>
      payout.payoutId !== null && payout.state === "completed" ? [[payout.payoutId, payout] as const] : [],
    ),
  )
  const booked: Payout[] = []
  for (const withdrawal of await findByPayoutIds(deps.db, [...paid.keys()])) {
    const payout = paid.get(withdrawal.payoutId ?? "")
    if (payout !== undefined && (await bookPaidAfterRefusal(deps, withdrawal, payout))) booked.push(payout)
  }
  return booked
}

/** Asks about those that were taken as not paid. Returns those that could not be asked about. */
export async function askAboutRefusedPayouts(deps: BankDeps, payoutIds: readonly string[]): Promise<Set<string>> {
  const failed = new Set<string>()
  for (const withdrawal of await findByPayoutIds(deps.db, [...payoutIds])) {
    const { payoutId } = withdrawal
    if (payoutId === null || !wasTakenAsNotPaid(withdrawal, deps.psp.name)) continue
    try {
      const payout = await deps.psp.payouts?.find(payoutId)
      if (payout) await recordPaidAfterRefusal(deps, [{ ...payout, payoutId }])
    } catch (error) {
      if (!(error instanceof PspError)) throw error
      failed.add(payoutId)
    }
  }
  return failed
}

const CHECKED_DAYS = 95

/** A bank that didn't answer for a day may list the payout by its old day, which nobody reads any more. */
export async function askAboutSettledAsNotPaid(deps: BankDeps): Promise<void> {
  const since = secondsAfter(deps.clock.now(), -CHECKED_DAYS * 86_400)
  await askAboutRefusedPayouts(deps, await findSettledAsNotPaid(deps.db, { provider: deps.psp.name, since }))
}

/** It was handed over, and none of its money came back from a receiver. */
function wasTakenAsNotPaid({ status, provider, sentAt, returnedCents }: Withdrawal, bank: string): boolean {
  return status === "rejected" && provider === bank && sentAt !== null && returnedCents === noMoney
}

/** False when nothing moved. */
async function bookPaidAfterRefusal(deps: BankDeps, withdrawal: Withdrawal, payout: ReportedPayout): Promise<boolean> {
  const { db, psp, clock, log } = deps
  const { id, amountCents } = withdrawal
  if (!wasTakenAsNotPaid(withdrawal, psp.name) || (payout.amountCents ?? amountCents) !== amountCents) return false
  const now = clock.now()
  const isNew = await db
    .transaction()
    .execute((tx) => bookPaidAfterRefusalOnce(tx, { id, payout, bank: psp.name }, now))
  if (isNew) log.error({ alarm: "refused_payout_paid", withdrawalId: id }, "a payout taken as not paid was paid")
  return isNew
}

interface PaidAfterRefusal {
  id: string
  payout: ReportedPayout
  bank: string
}

async function bookPaidAfterRefusalOnce(tx: Tx, { id, payout, bank }: PaidAfterRefusal, now: Date): Promise<boolean> {
  const refused = await lockWithdrawal(tx, id)
  if (refused === null || !wasTakenAsNotPaid(refused, bank)) return false
  await lockForReturn(tx, refused)
  const paid = await updateWithdrawal(tx, id, {
    status: "completed",
    paid_after_refusal_at: now,
    processed_at: now,
    settled_at: payout.settledAt ?? now,
    end_to_end_id: payout.endToEndId,
    failure_reason: null,
    admin_notes: [refused.adminNotes, paidAfterRefusalNote].filter((note) => note !== "").join("\n"),
  })
  await postDrawing(tx, [paidAfterRefusalPostings(paid, now)])
  await recordAudit(tx, withdrawalAuditOf("withdrawal.paid_after_all", refused, paid, null, now))
  await notifyAllOwners(tx, [stepNotice(paid, "completed", now)], now)
  await appendEvents(tx, "withdrawal.completed", [id], now)
  return true
}

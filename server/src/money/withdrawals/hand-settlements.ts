import type { Cents } from "@tilinta/contract/vocabulary/money"
import { isRefundUnderWay } from "@tilinta/contract/vocabulary/transactions"
import type { HandSettlementSubject } from "@tilinta/contract/vocabulary/withdrawals"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import { isId } from "#kit/ids"
import type { SecretKeys } from "#kit/secrets"
import { findRefunds } from "#money/refunds/list"
import { type Refund, refundOrder } from "#money/refunds/rules"
import { lockRefundWithPayment, recordOutcome } from "#money/refunds/settle"
import { lockUnmatchedPayment } from "#money/unmatched-payments/unmatched"
import { type Approvers, othersWhoAgree, requireTrusted, trustedApprovers } from "#people/second-approvals/approve"
import { findPeople } from "#people/users/change-user"
import type { NameUsers } from "#people/users/user-names"
import { recordAudit } from "#platform/audit/record"
import type { SettlementScreen } from "#platform/mails/mail-content"
import { enqueueMails } from "#platform/mails/notify-owner"
import {
  actOnOrder,
  isAuthentic,
  macOf,
  renewMacs,
  reportForgedOrder,
  requireAuthentic,
} from "#platform/order-macs/macs"
import { type DescribedSettlement, describeSettlements } from "./admin-reads.ts"
import { type DecidedWithdrawal, lockForeign } from "./decide.ts"
import { recordPayoutOutcome } from "./pay.ts"
import { isOldEnough, isSettleable, mayBeSending } from "./rules.ts"
import { lockHandSettlement, lockWordsOfFormerKey, saveHandSettlement } from "./table.ts"
import {
  approvalOrder,
  type HandSettlement,
  type SettleByHand,
  type SettlementWaitsFor,
  settlementOrder,
} from "./withdrawal.ts"

interface Subject extends SettledMoney {
  subject: HandSettlementSubject
  sendingAt: Date | null
}

/**
 * Notes what an admin says, and tells whether it takes effect. From the first word on nothing is sent any more. Where
 * two admins may decide, two must say the same, and the others are asked by mail. The caller holds the subject's lock.
 */
async function agreeOnSettlement(
  tx: Tx,
  { subject, sendingAt, ...money }: Subject,
  input: SettleByHand,
  now: Date,
): Promise<SettlementWaitsFor> {
  const { id, admin, outcome, endToEndId, reason } = input
  const approvers = await trustedApprovers(tx, now)
  requireTrusted(approvers, admin.id)
  const others = othersWhoAgree(approvers, admin.id, money.sellerId)
  const before = await lockCountedWord(tx, { id, money, approvers }, now)
  const isSame = before !== null && before.outcome === outcome && before.endToEndId === endToEndId
  const proposal = { outcome, endToEndId, reason, proposedBy: admin.id, proposedAt: now, confirmedBy: null }
  const first: HandSettlement = isSame ? before : { subjectId: id, subject, ...proposal, settledAt: null, mac: null }
  const confirmedBy = first.proposedBy === admin.id ? first.confirmedBy : admin.id

  const isAgreed = confirmedBy !== null || others.length === 0
  const waitsFor = waitsForWhat({ isAgreed, sendingAt, now })
  const said = { ...first, confirmedBy, settledAt: waitsFor === null ? now : null }
  await saveHandSettlement(tx, { ...said, mac: macOf(settlementOrder(said, money)) })
  if (waitsFor === "second_admin") await askOtherAdmins(tx, first, money, { others, now })
  await recordAudit(tx, {
    actor: admin,
    happenedAt: now,
    action: `${subject}.settled_by_hand`,
    entity: subject,
    entityId: id,
    before: null,
    after: { outcome, endToEndId, reason, isSettled: waitsFor === null },
  })
  return waitsFor
}

interface WordAbout {
  id: string
  money: SettledMoney
  approvers: Approvers
}

/** The earlier word, as far as it counts: not that of people who are trusted no more, nor what only the database tells of. */
async function lockCountedWord(tx: Tx, { id, money, approvers }: WordAbout, now: Date): Promise<HandSettlement | null> {
  const before = await lockHandSettlement(tx, id)
  if (before === null) return null
  const order = settlementOrder(before, money)
  if (!isAuthentic(order, before.mac)) {
    await reportForgedOrder(tx, order, now)
    return null
  }
  const { proposedBy, confirmedBy } = before
  if (!approvers.trusted.includes(proposedBy)) return null
  const isConfirmed = confirmedBy !== null && approvers.trusted.includes(confirmedBy)
  return isConfirmed ? before : { ...before, confirmedBy: null }
}

function waitsForWhat(state: { isAgreed: boolean; sendingAt: Date | null; now: Date }): SettlementWaitsFor {
  if (!state.isAgreed) return "second_admin"
  return mayBeSending(state.sendingAt, state.now) ? "sending" : null
}

/** The money as a mail shows it. */
interface SettledMoney {
  amountCents: Cents
  sellerId: string | null
  /** The screen on which an administrator finds it, and its id there. */
  screen: SettlementScreen
  screenId: string
}

/** One mail per word and administrator who may say the same: without it a word could wait unseen for ever. */
async function askOtherAdmins(
  tx: Tx,
  settlement: HandSettlement,
  { sellerId, ...money }: SettledMoney,
  { others, now }: { others: readonly string[]; now: Date },
): Promise<void> {
  const { subjectId, subject, outcome, endToEndId, reason, proposedBy, proposedAt } = settlement
  const people = await findPeople(tx, [proposedBy, ...(sellerId === null ? [] : [sellerId])])
  const content = {
    kind: "settlement_waits",
    subject,
    outcome,
    endToEndId,
    reason,
    ...money,
    sellerName: sellerId === null ? null : (people.get(sellerId)?.name ?? ""),
    saidBy: people.get(proposedBy)?.name ?? "",
    saidAt: proposedAt.toISOString(),
  } as const
  const dedupeKey = `hand-settlement:${subjectId}:${proposedBy}:${proposedAt.toISOString()}`
  await enqueueMails(
    tx,
    others.map((userId) => ({ userId, content, dedupeKey: `${dedupeKey}:${userId}` })),
    now,
  )
}

/** For a rotation of SECRETS_KEY; how many words got another MAC. */
export async function renewSettlementMacs(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  return renewMacs(secretKeys, {
    rows: await lockWordsOfFormerKey(tx, secretKeys),
    orderOf: (word) => settlementOrder(word, word),
    save: (word, mac) => saveHandSettlement(tx, { ...word, mac }),
  })
}

interface SettledWithdrawal extends DecidedWithdrawal {
  waitsFor: SettlementWaitsFor
}

/** Settles a payout that the bank has not answered for in a day, as it was paid or was not. */
export async function settleWithdrawalByHand(
  { db, clock }: { db: Db; clock: Clock },
  input: SettleByHand,
): Promise<SettledWithdrawal> {
  const now = clock.now()
  return actOnOrder({ db, clock }, (tx) => settleWithdrawal(tx, input, now))
}

async function settleWithdrawal(tx: Tx, input: SettleByHand, now: Date): Promise<SettledWithdrawal> {
  const { id, admin, outcome, endToEndId, reason } = input
  const withdrawal = await lockForeign(tx, input)
  const { sellerId, sendingAt, amountCents } = withdrawal
  if (!isSettleable(withdrawal, now)) throw new DomainError("not_settleable_by_hand")
  requireAuthentic(approvalOrder(withdrawal), withdrawal.approvalMac)
  const money = { amountCents, sellerId, screen: "withdrawals", screenId: id } as const
  const waitsFor = await agreeOnSettlement(tx, { subject: "withdrawal", sendingAt, ...money }, input, now)
  if (waitsFor !== null) return { withdrawal, waitsFor }
  const state = outcome === "paid" ? "completed" : "refused"
  const word = { state, amountCents: null, endToEndId, reason, settledAt: null } as const
  const settled = await recordPayoutOutcome(tx, id, word, { now, by: admin })
  return { withdrawal: settled ?? withdrawal, waitsFor }
}

interface SettledRefund {
  refund: Refund
  waitsFor: SettlementWaitsFor
}

/** Settles a refund that the bank has not answered for in a day, as it was paid or was not. */
export async function settleRefundByHand(
  { db, clock }: { db: Db; clock: Clock },
  input: SettleByHand,
): Promise<SettledRefund> {
  if (!isId(input.id)) throw new DomainError("refund_not_found")
  const now = clock.now()
  return actOnOrder({ db, clock }, (tx) => settleRefund(tx, input, now))
}

async function settleRefund(tx: Tx, input: SettleByHand, now: Date): Promise<SettledRefund> {
  const { id, admin, outcome, endToEndId, reason } = input
  const refund = await lockRefundWithPayment(tx, id)
  if (refund === null) throw new DomainError("refund_not_found")
  const { sellerId, sendingAt, amountCents, pspRefundId } = refund
  if (sellerId === admin.id) throw new DomainError("own_refund")
  if (!isSettleableRefund(refund, now)) throw new DomainError("not_settleable_by_hand")
  requireAuthentic(refundOrder(refund), refund.mac)
  const money = { amountCents, sellerId, ...(await screenOf(tx, refund)) }
  const waitsFor = await agreeOnSettlement(tx, { subject: "refund", sendingAt, ...money }, input, now)
  if (waitsFor !== null) return { refund, waitsFor }
  const state = outcome === "paid" ? "completed" : "refused"
  const word = { pspRefundId, state, amountCents: null, returnId: endToEndId, reason, settledAt: null } as const
  await recordOutcome(tx, refund, word, { now, by: admin })
  return { refund: (await lockRefundWithPayment(tx, id)) ?? refund, waitsFor }
}

/** The refund of an uncredited payment is in no transaction. */
async function screenOf(tx: Tx, { chargeId, endToEndId }: Refund): Promise<Pick<SettledMoney, "screen" | "screenId">> {
  if (chargeId !== null) return { screen: "transactions", screenId: chargeId }
  const unmatched = await lockUnmatchedPayment(tx, endToEndId)
  invariant(unmatched !== null, `${endToEndId} is refunded without a charge, and is not unmatched`)
  return { screen: "unmatched-payments", screenId: unmatched.id }
}

export interface DescribedRefund extends Refund {
  isSettleable: boolean
  handSettlement: DescribedSettlement | null
  /** False for one under way that only the database tells of. */
  isAuthentic: boolean
}

/** Refunds as admins read them: with what people have said in the bank's place. */
export async function describeRefunds(
  deps: { db: Db; nameUsers: NameUsers; clock: Clock },
  refunds: readonly Refund[],
): Promise<DescribedRefund[]> {
  const now = deps.clock.now()
  const settlements = await describeSettlements(
    deps,
    refunds.map(({ id, sellerId, status }) => ({ id, sellerId, isUnderWay: isRefundUnderWay(status) })),
  )
  return refunds.map((refund) => ({
    ...refund,
    isSettleable: isSettleableRefund(refund, now),
    handSettlement: settlements.get(refund.id) ?? null,
    isAuthentic: !isRefundUnderWay(refund.status) || isAuthentic(refundOrder(refund), refund.mac),
  }))
}

/** By id, for what names its refund. */
export async function describeRefundsOf(
  deps: { db: Db; nameUsers: NameUsers; clock: Clock },
  ids: readonly string[],
): Promise<Map<string, DescribedRefund>> {
  const described = await describeRefunds(deps, await findRefunds(deps.db, ids))
  return new Map(described.map((refund) => [refund.id, refund]))
}

function isSettleableRefund({ status, createdAt }: Refund, now: Date): boolean {
  return isRefundUnderWay(status) && isOldEnough(createdAt, now)
}

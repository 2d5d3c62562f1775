import { isDeepStrictEqual } from "node:util"
import { accountKeyOf, accountNumberKeyOf } from "@tilinta/contract/vocabulary/banks"
import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { deviceName } from "@tilinta/contract/vocabulary/people"
import type { PixKey } from "@tilinta/contract/vocabulary/pix-key"
import {
  type HandSettlementOutcome,
  type HandSettlementSubject,
  type HandSettlementWait,
  type HoldReason,
  type WithdrawalStatus,
  waitReasonLabels,
} from "@tilinta/contract/vocabulary/withdrawals"
import type { BankData } from "#db/column-types"
import { saoPauloDay, secondsAfter } from "#kit/clock"
import { lastOnes, maskedPixKey } from "#kit/log"
import type { BankAccount } from "#people/users/rules"
import type { Actor, AuditEntry } from "#platform/audit/rules"
import type { WithdrawalStep } from "#platform/mails/mail-content"
import type { OwnerNotice } from "#platform/mails/notify-owner"
import type { Order } from "#platform/order-macs/macs"
import type { WithdrawalRules } from "#platform/settings/reads"
import type { HoldRules } from "#platform/settings/rules"

/** Frozen at the request: later changes of the profile can't redirect the money. */
export type Destination = { method: "pix"; pixKey: PixKey } | { method: "bank_transfer"; bankData: BankData }

/** As rows keep it. */
export function destinationColumns(destination: Destination) {
  const pixKey = destination.method === "pix" ? destination.pixKey : null
  return {
    method: destination.method,
    pix_key: pixKey?.key ?? null,
    pix_key_kind: pixKey?.kind ?? null,
    bank_data: destination.method === "bank_transfer" ? JSON.stringify(destination.bankData) : null,
  }
}

/** A seller's request to be paid out. */
export interface Withdrawal {
  id: string
  sellerId: string
  amountCents: Cents
  destination: Destination
  /** The payout's id at the provider; null for manual transfers. */
  payoutId: string | null
  status: WithdrawalStatus
  /** Paid by a person: a bank transfer, or a Pix approved while the provider couldn't send it. */
  isPaidByHand: boolean
  provider: string | null
  endToEndId: string | null
  adminNotes: string
  failureReason: string | null
  attempts: number
  createdAt: Date
  approvedAt: Date | null
  /** When it was handed to the provider; null before, and for manual payments. */
  sentAt: Date | null
  processedAt: Date | null
  /** The part that came back after it had been paid; below the amount it stays completed. */
  returnedCents: Cents
  /** When the money went back to the balance after the approval, paid or not. */
  returnedAt: Date | null
  returnReason: string | null
  /** When a worker was last about to send it. */
  sendingAt: Date | null
  /** The API key that requested it; null when it was requested in the browser. */
  apiKeyId: string | null
  /** Nobody approves or sends it before; null when it never waited. */
  heldUntil: Date | null
  holdReasons: HoldReason[]
  /** True when people, not the bank, said that it was paid. */
  wasSettledByHand: boolean
  /** The administrator who approved or rejected it. */
  decidedBy: string | null
  /** The first of two administrators who approved it; null where one was enough. */
  firstApprovedBy: string | null
  requestMac: string | null
  approvalMac: string | null
}

/** A withdrawal as it was when its seller requested it. */
export function asRequested(
  request: Pick<Withdrawal, "id" | "sellerId" | "amountCents" | "destination" | "createdAt" | "apiKeyId"> &
    Partial<Pick<Withdrawal, "heldUntil" | "holdReasons">>,
): Withdrawal {
  const { id, sellerId, amountCents, destination, createdAt, apiKeyId, heldUntil = null, holdReasons = [] } = request
  return {
    id,
    sellerId,
    amountCents,
    destination,
    // 32 alphanumerics, unique to one withdrawal for ever.
    payoutId: destination.method === "pix" ? id.replaceAll("-", "") : null,
    status: "pending",
    isPaidByHand: destination.method === "bank_transfer",
    provider: null,
    endToEndId: null,
    adminNotes: "",
    failureReason: null,
    attempts: 0,
    createdAt,
    approvedAt: null,
    sentAt: null,
    processedAt: null,
    returnedCents: noMoney,
    returnedAt: null,
    returnReason: null,
    sendingAt: null,
    apiKeyId,
    heldUntil,
    holdReasons,
    wasSettledByHand: false,
    decidedBy: null,
    firstApprovedBy: null,
    requestMac: null,
    approvalMac: null,
  }
}

/** The request as its seller made it. The hold is not in it: it changes, and lets nothing out without an approval. */
export function requestOrder(withdrawal: Withdrawal): Order {
  return { act: "withdrawal.request", id: withdrawal.id, facts: requestFacts(withdrawal) }
}

/** The payment that administrators agreed to. */
export function approvalOrder(withdrawal: Withdrawal): Order {
  const { id, approvedAt, decidedBy, firstApprovedBy } = withdrawal
  const facts = [...requestFacts(withdrawal), approvedAt, decidedBy, firstApprovedBy]
  return { act: "withdrawal.approval", id, facts }
}

function requestFacts({ sellerId, amountCents, destination, payoutId, createdAt, apiKeyId }: Withdrawal): unknown[] {
  return [sellerId, amountCents, ...destinationFacts(destination), payoutId, createdAt, apiKeyId]
}

/** For a MAC: the database keeps the fields of its JSON in an order of its own. */
export function destinationFacts(destination: Destination): unknown[] {
  const { method } = destination
  const target = method === "pix" ? destination.pixKey : destination.bankData
  return [method, Object.entries(target).toSorted(([one], [other]) => (one < other ? -1 : 1))]
}

/**
 * Names where the money arrives, however its bank data are spelled. A bank that isn't in the list is another target, which
 * waits: never the other way round.
 */
export function targetOf(destination: Destination): string {
  if (destination.method === "pix") return `pix:${destination.pixKey.key}`
  return JSON.stringify([...accountKeyOf(destination.bankData), destination.bankData.accountType])
}

/**
 * The same name for all spellings, like the database's shared_target(): for sums, which may take two for one but never the
 * other way round. So the bank, which people spell as they like, doesn't count.
 */
export function sharedTargetOf(destination: Destination): string {
  if (destination.method === "pix") return destination.pixKey.key
  const { agency, account } = destination.bankData
  return [agency, account].map(accountNumberKeyOf).join(" ")
}

type Action =
  | "withdrawal.requested"
  | "withdrawal.cancelled"
  | "withdrawal.approved"
  | "withdrawal.rejected"
  | "withdrawal.claimed"
  | "withdrawal.completed"
  | "withdrawal.refused"
  | "withdrawal.returned"
  | "withdrawal.paid_after_all"

/** A null actor stands for the platform, acting on the provider's answer. */
export function withdrawalAuditOf(
  action: Action,
  before: Withdrawal | null,
  after: Withdrawal,
  actor: Actor | null,
  happenedAt: Date,
): AuditEntry {
  return {
    actor,
    happenedAt,
    action,
    entity: "withdrawal",
    entityId: after.id,
    before: before === null ? null : recorded(before),
    after: recorded(after),
  }
}

/** The destination never changes and is stored with the withdrawal, so its kind is enough here. */
function recorded(withdrawal: Withdrawal): object {
  const { status, sellerId, amountCents, destination, adminNotes, failureReason, returnedCents, returnReason } =
    withdrawal
  const came = returnReason === null ? {} : { returnedCents, reason: returnReason }
  return { status, sellerId, amountCents, method: destination.method, adminNotes, failureReason, ...came }
}

const DAY_SECONDS = 86_400

/** An approval is a step that its seller waits for only where it takes long. */
function isMailed({ heldUntil, createdAt }: Withdrawal, step: WithdrawalStep, now: Date): boolean {
  return step !== "approved" || heldUntil !== null || now > secondsAfter(createdAt, DAY_SECONDS)
}

/** One notice, written over at each step, and one mail at most per step, however often the step is recorded. */
export function stepNotice(withdrawal: Withdrawal, step: WithdrawalStep, now: Date, person?: string): OwnerNotice {
  return {
    userId: withdrawal.sellerId,
    about: `withdrawal:${withdrawal.id}`,
    dedupeKey: `withdrawal-step:${withdrawal.id}:${step}`,
    ...(!isMailed(withdrawal, step, now) && { mail: null }),
    notice: {
      kind: "withdrawal_step",
      withdrawalId: withdrawal.id,
      step,
      amountCents: withdrawal.amountCents,
      destination: maskedDestination(withdrawal.destination),
      endToEndId: withdrawal.endToEndId,
      note: withdrawal.failureReason ?? withdrawal.adminNotes,
      happenedAt: now.toISOString(),
      ...(person !== undefined && { person }),
    },
  }
}

export function cancelledNotice({ id, sellerId, amountCents, destination }: Withdrawal): OwnerNotice {
  const facts = { withdrawalId: id, amountCents, destination: maskedDestination(destination) }
  return { userId: sellerId, about: `withdrawal:${id}`, notice: { kind: "withdrawal_cancelled", ...facts } }
}

interface NewDestination {
  isNew: boolean
  address: string | null
  userAgent: string | null
  /** The member of the team who asks; the seller themselves without one. */
  person: Actor["person"]
  /** A token from `issueNotMeLink`; without one the list of notices tells, and no mail. */
  notMe: string | null
}

interface NoticeContext {
  sellerName: string
  admins: readonly string[]
  lastPaid: Destination | null
  newDestination: NewDestination
  rules: WithdrawalRules
}

/**
 * Tells the seller of the request, and each administrator by one mail of it and in the list of holds.
 * A hold is mailed only where the request is not.
 */
export function requestNotices(withdrawal: Withdrawal, context: NoticeContext): OwnerNotice[] {
  const { sellerName, admins, lastPaid, newDestination, rules } = context
  const { id, amountCents, destination, createdAt } = withdrawal
  const isHeld = withdrawal.heldUntil !== null
  const toSeller = [
    stepNotice(withdrawal, "requested", createdAt, newDestination.person?.name),
    ...(newDestination.isNew ? [newDestinationNotice(withdrawal, newDestination)] : []),
    ...(isHeld ? [{ ...heldNotice(withdrawal), mail: null }] : []),
  ]
  const mail = {
    kind: "withdrawal_requested",
    sellerName,
    amountCents,
    method: destination.method,
    destination: maskedDestination(destination),
    comparison: comparedDestination(lastPaid, destination),
    requestedAt: createdAt.toISOString(),
  } as const
  const held = { ...heldToCheckNotice(withdrawal, sellerName), ...(rules.notifiesAdmin && { mail: null }) }
  const toAdmins = [
    ...(rules.notifiesAdmin ? [{ notice: null, mail, dedupeKey: `withdrawal:${id}` }] : []),
    ...(isHeld ? [held, ...limitNotices(withdrawal, sellerName, rules)] : []),
  ]
  return [
    ...toSeller,
    ...toAdmins.flatMap((each) =>
      admins.map((userId) => ({ ...each, userId, dedupeKey: `${each.dedupeKey}:${userId}` })),
    ),
  ]
}

function newDestinationNotice(withdrawal: Withdrawal, from: NewDestination): OwnerNotice {
  const { address, userAgent, person, notMe } = from
  const { sellerId: userId, destination, amountCents, createdAt, heldUntil } = withdrawal
  const notice = {
    kind: "destination_added",
    destination: maskedDestination(destination),
    amountCents,
    addedAt: createdAt.toISOString(),
    heldUntil: heldUntil?.toISOString() ?? null,
    address,
    device: userAgent ? deviceName(userAgent) : null,
    ...(person !== undefined && { person: person.name }),
  } as const
  return { userId, notice, ...(notMe === null ? { mail: null } : { notMe }) }
}

/** Once a day for each limit: a flood of requests is one mail. */
function limitNotices({ sellerId, createdAt, holdReasons }: Withdrawal, sellerName: string, rules: HoldRules) {
  const limits = [
    { reason: "daily_limit", name: sellerId, whose: sellerName, limitCents: rules.dailyLimitCents },
    { reason: "platform_limit", name: "platform", whose: "toda a plataforma", limitCents: rules.platformLimitCents },
  ] as const
  return limits
    .filter(({ reason }) => holdReasons.includes(reason))
    .map(({ name, whose, limitCents }) => ({
      notice: { kind: "limit_reached", whose, limitCents, reachedAt: createdAt.toISOString() } as const,
      dedupeKey: `limit:${name}:${saoPauloDay(createdAt)}`,
    }))
}

/** Each later end of the hold is another notice. */
export function heldNotice({
  id,
  sellerId,
  amountCents,
  destination,
  heldUntil,
  holdReasons,
}: Withdrawal): OwnerNotice {
  const until = heldUntil?.toISOString() ?? null
  const reasons = holdReasons.map((reason) => waitReasonLabels[reason])
  const facts = {
    withdrawalId: id,
    amountCents,
    destination: maskedDestination(destination),
    heldUntil: until,
    reasons,
  }
  return {
    userId: sellerId,
    about: `withdrawal:${id}`,
    dedupeKey: `withdrawal-held:${id}:${until}`,
    notice: { kind: "withdrawal_held", ...facts },
  }
}

/** For administrators. Each later end of the hold is another notice. */
export function heldToCheckNotice(withdrawal: Withdrawal, sellerName: string) {
  const { id: withdrawalId, amountCents, holdReasons, heldUntil } = withdrawal
  const reasons = holdReasons.map((reason) => waitReasonLabels[reason])
  return {
    dedupeKey: `held:${withdrawalId}:${heldUntil?.toISOString() ?? null}`,
    notice: { kind: "withdrawal_to_check", withdrawalId, sellerName, amountCents, reasons } as const,
  }
}

export function maskedDestination(destination: Destination): string {
  if (destination.method === "pix") return `Chave Pix ${maskedPixKey(destination.pixKey.key)}`
  return `${destination.bankData.bank}, conta ${lastOnes(destination.bankData.account, 4)}`
}

export function comparedDestination(
  lastPaid: Destination | null,
  requested: Destination,
): "first" | "same" | "changed" {
  if (lastPaid === null) return "first"
  return isDeepStrictEqual(receiverOf(lastPaid), receiverOf(requested)) ? "same" : "changed"
}

/** Only the parts of a destination that decide where the money arrives. */
function receiverOf(destination: Destination): string[] {
  return destination.method === "pix" ? [destination.pixKey.key] : accountOf(destination.bankData)
}

export function accountOf({ bank = "", agency = "", account = "" }: Partial<BankData> | Partial<BankAccount>) {
  return accountKeyOf({ bank, agency, account })
}

/** A person's word for what became of money that the bank doesn't answer for. */
export interface HandSettlement {
  subjectId: string
  subject: HandSettlementSubject
  outcome: HandSettlementOutcome
  /** The transfer in the Pix network; null unless it was paid. */
  endToEndId: string | null
  reason: string
  proposedBy: string
  proposedAt: Date
  confirmedBy: string | null
  /** Null while it waits for a second administrator, or for a worker that may be sending. */
  settledAt: Date | null
  mac: string | null
}

/** A person's word, and another's agreement, about this money. */
export function settlementOrder(
  { subjectId, subject, outcome, endToEndId, reason, proposedBy, proposedAt, confirmedBy }: HandSettlement,
  { amountCents, sellerId }: { amountCents: Cents; sellerId: string | null },
): Order {
  const facts = [subject, outcome, endToEndId, reason, proposedBy, proposedAt, confirmedBy, amountCents, sellerId]
  return { act: "settlement.word", id: subjectId, facts }
}

export interface SettleByHand {
  id: string
  admin: Actor
  outcome: HandSettlementOutcome
  endToEndId: string | null
  reason: string
}

/** Null: it took effect. */
export type SettlementWaitsFor = HandSettlementWait | null

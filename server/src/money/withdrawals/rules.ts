import { addCents, type Cents, noMoney, reaisText } from "@tilinta/contract/vocabulary/money"
import {
  type HoldReason,
  SETTLED_BY_HAND_AFTER_HOURS,
  type WaitReason,
  type WithdrawalWait,
  withdrawalWaits,
} from "@tilinta/contract/vocabulary/withdrawals"
import { type Day, saoPauloDay, secondsAfter } from "#kit/clock"
import { brokenRule, DomainError, invariant } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import { type AccountId, payoutsUnderWay, pspClearing, sellerAvailable, sellerHeld } from "#ledger/accounts"
import type { LedgerTransaction } from "#ledger/post-transactions"
import { documentOf, isOwnDocument } from "#money/destinations/rules"
import type { HoldRules } from "#platform/settings/rules"
import type { Psp } from "#psp/psp"
import type { Withdrawal } from "./withdrawal.ts"

interface Movement {
  id: string
  sellerId: string
  amountCents: Cents
  provider: string | null
}

/** At the request the money leaves the available balance, so two requests can't both have it. */
export function withdrawalRequestPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const { sellerId } = withdrawal
  return movement("withdrawal", withdrawal, at, sellerAvailable(sellerId), sellerHeld(sellerId))
}

/** Cancelled or rejected before sending: returned in full. A withdrawal returns at most once, whichever way. */
export function returnPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const { sellerId } = withdrawal
  return movement("withdrawal-returned", withdrawal, at, sellerHeld(sellerId), sellerAvailable(sellerId))
}

export function sentPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const underWay = payoutsUnderWay(providerOf(withdrawal))
  return movement("payout", withdrawal, at, sellerHeld(withdrawal.sellerId), underWay)
}

/** The money has left the provider, whose balance for us decreases. */
export function completedWithdrawalPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const provider = providerOf(withdrawal)
  return movement("payout-completed", withdrawal, at, payoutsUnderWay(provider), pspClearing(provider))
}

/** The provider refused definitively. */
export function refusedPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const underWay = payoutsUnderWay(providerOf(withdrawal))
  return movement("withdrawal-returned", withdrawal, at, underWay, sellerAvailable(withdrawal.sellerId))
}

/** A person made the transfer from our account at the provider, so it was never under way. */
export function paidByHandPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const clearing = pspClearing(providerOf(withdrawal))
  return movement("payout-completed", withdrawal, at, sellerHeld(withdrawal.sellerId), clearing)
}

/** The money went back to the seller and has left all the same, so it is booked whatever the balance holds. */
export function paidAfterRefusalPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const { sellerId, amountCents } = withdrawal
  const clearing = pspClearing(providerOf(withdrawal))
  const posting = { debit: sellerAvailable(sellerId), credit: clearing, amountCents, mayOverdraw: true } as const
  return { kind: "payout-completed", reference: withdrawal.id, sellerId, occurredAt: at, postings: [posting] }
}

/** A paid withdrawal came back to our account, whole or in part. `returnedCents` is all that has come back so far. */
export function cameBackPostings(withdrawal: Movement, returned: Returned, at: Date): LedgerTransaction {
  const { id, sellerId } = withdrawal
  const debit = pspClearing(providerOf(withdrawal))
  const posting = { debit, credit: sellerAvailable(sellerId), amountCents: returned.amountCents }
  const reference = `${id}/${returned.returnedCents}`
  return { kind: "payout-returned", reference, sellerId, occurredAt: at, postings: [posting] }
}

interface Returned {
  amountCents: Cents
  returnedCents: Cents
}

function providerOf({ id, provider }: Movement): string {
  invariant(provider !== null, `withdrawal ${id} has no provider`)
  return provider
}

function movement(
  kind: LedgerTransaction["kind"],
  { id, sellerId, amountCents }: Movement,
  occurredAt: Date,
  debit: AccountId,
  credit: AccountId,
): LedgerTransaction {
  return { kind, reference: id, sellerId, occurredAt, postings: [{ debit, credit, amountCents }] }
}

/** They stay true until the transaction ends: the seller, the balance and the platform's limit are locked. */
export interface RequestFacts {
  isEnabled: boolean
  minCents: Cents
  maxPixCents: Cents
  /** OWN_NAME_ONLY refuses the destination. */
  isNotOwn: boolean
  /** The part of the balance that may be withdrawn. */
  availableCents: Cents
  seller: { isActive: boolean; cpf: string }
  /** The CNPJ of the seller's shop; null without one. */
  ownCnpj: string | null
  isFrozen: boolean
  protection: Protection
  /** A withdrawal requested in the browser was paid to this destination. */
  isPaidBefore: boolean
  /** Why the session can't choose a destination that was never paid, or null when it can. */
  stepUpRefusal: DomainError | null
  hold: HoldFacts
}

/** The request as it is stored, held where a rule holds it. @throws DomainError the first rule that refuses it */
export function decideRequest(facts: RequestFacts, request: Withdrawal): Withdrawal {
  const { amountCents, apiKeyId, createdAt } = request
  if (!facts.isEnabled) throw new DomainError("withdrawals_disabled")
  if (!facts.seller.isActive) throw new DomainError("account_disabled")
  if (facts.isFrozen) throw new DomainError("withdrawals_frozen")
  // A stolen key must not choose where the money goes.
  if (apiKeyId !== null && !facts.isPaidBefore) throw new DomainError("withdrawal_destination_unproven")
  const document = documentOf(request.destination)
  const own = { cpf: facts.seller.cpf, cnpj: facts.ownCnpj }
  if (facts.protection === "strict" && document !== null && !isOwnDocument(document, own)) {
    const errors = [{ path: "pixKey", message: "Esta chave não é do CPF ou CNPJ do seu cadastro." }]
    throw new DomainError("pix_key_not_yours", { errors })
  }
  if (facts.isNotOwn) throw new DomainError("destination_not_own")
  if (facts.maxPixCents > noMoney && request.destination.method === "pix" && amountCents > facts.maxPixCents) {
    throw brokenRule(
      "amount",
      `Acima de ${reaisText(facts.maxPixCents)} o saque vai por TED: informe uma conta bancária.`,
    )
  }
  if (amountCents < facts.minCents) {
    throw brokenRule("amount", `O valor mínimo do saque é ${reaisText(facts.minCents)}`)
  }
  // A stolen session must not choose where the money goes either.
  if (facts.stepUpRefusal !== null && !facts.isPaidBefore) throw facts.stepUpRefusal
  if (facts.availableCents < amountCents) throw insufficientBalance()
  return { ...request, ...decideHold(amountCents, createdAt, facts.hold) }
}

export function insufficientBalance(cause?: unknown): DomainError {
  const errors = [{ path: "amount", message: "Saldo insuficiente" }]
  return new DomainError("insufficient_balance", { errors, cause })
}

/** How far the approval of a withdrawal is. */
export interface Approvals {
  given: number
  needed: number
  first: { by: { id: string; name: string }; at: Date; expiresAt: Date } | null
}

export const noApprovals: Approvals = { given: 0, needed: 1, first: null }

export interface WaitFacts {
  now: Date
  isEnabled: boolean
  isSellerActive: boolean
  isSellerFrozen: boolean
  /** False where the database alone tells of it: this platform never wrote it so. */
  isAuthentic: boolean
  /** OWN_NAME_ONLY refuses its destination. */
  isNotOwn: boolean
  approvals: Approvals
}

/** All that keeps a withdrawal from being paid now, what people must end first. Empty when it is about to be, or has ended. */
export function waitReasonsOf(withdrawal: Withdrawal, facts: WaitFacts): WaitReason[] {
  const { status, isPaidByHand, heldUntil, holdReasons } = withdrawal
  const isPending = status === "pending"
  if (!isPending && !isUnsent(withdrawal)) return []
  // A person who pays by hand looks at the account's freeze and the hold alone.
  const isStoppable = isPending || !isPaidByHand
  const reasons: WaitReason[] = []
  if (!facts.isAuthentic) reasons.push("not_authentic")
  if (facts.isSellerFrozen) reasons.push("account_frozen")
  if (facts.isNotOwn) reasons.push("not_own")
  if (isStoppable && !facts.isEnabled) reasons.push("withdrawals_disabled")
  if (isStoppable && !facts.isSellerActive) reasons.push("seller_inactive")
  if (heldUntil !== null && heldUntil > facts.now) reasons.push(...holdReasons)
  if (isPending && facts.approvals.needed > 1) reasons.push("second_approval")
  return reasons
}

/**
 * The API names the first reason of an approved withdrawal, with one word for all that end by themselves; of a pending one,
 * only that nobody may approve it.
 */
export function waitOf(withdrawal: Withdrawal, facts: WaitFacts): WithdrawalWait | null {
  const [reason] = waitReasonsOf(withdrawal, facts)
  if (reason === undefined || !(isUnsent(withdrawal) || reason === "not_authentic")) return null
  return withdrawalWaits.find((wait) => wait === reason) ?? "held"
}

/** A job may have taken it for sending just before it was stopped. */
export function isUnsent({ status, sendingAt }: Withdrawal): boolean {
  return status === "approved" || (status === "processing" && sendingAt === null)
}

const daySeconds = 86_400

/** An amount, and the moment at which it leaves at the earliest. */
export interface Leaving {
  at: Date
  amountCents: Cents
}

export interface HoldFacts {
  rules: HoldRules
  /** Null when the destination is used for the first time now. */
  firstUsedAt: Date | null
  recoveredAt: Date | null
  /** The seller's withdrawals of the last 24 hours, and those that leave later. */
  leaving: readonly Leaving[]
  /** Everybody's, by the São Paulo day on which they leave at the earliest: today's and those that are held to later ones. */
  platformDays: ReadonlyMap<Day, Cents>
}

/** When a delay that began then ends; null when it is over, or the rule is off. */
export function endOfDelay(since: Date | null, hours: number, now: Date): Date | null {
  if (since === null) return null
  const until = secondsAfter(since, hours * 3_600)
  return until > now ? until : null
}

/** Until when a new request waits, and for which reasons. The limits are applied after the delays have ended. */
export function decideHold(
  amountCents: Cents,
  now: Date,
  facts: HoldFacts,
): Pick<Withdrawal, "heldUntil" | "holdReasons"> {
  const { rules, firstUsedAt, recoveredAt } = facts
  const newDestination = endOfDelay(firstUsedAt ?? now, rules.newDestinationHours, now)
  const recovery = endOfDelay(recoveredAt, rules.recoveryHours, now)
  const limits = applyLimits(amountCents, latest([newDestination, recovery]) ?? now, facts)
  const ends: [HoldReason, Date | null][] = [
    ["new_destination", newDestination],
    ["recovery", recovery],
    ["platform_limit", limits.platformUntil],
    ["daily_limit", limits.dailyUntil],
  ]
  return {
    heldUntil: latest(ends.map(([, until]) => until)),
    holdReasons: ends.flatMap(([reason, until]) => (until === null ? [] : [reason])),
  }
}

function latest(moments: readonly (Date | null)[]): Date | null {
  return moments.reduce((last, moment) => (last === null || (moment !== null && moment > last) ? moment : last), null)
}

interface LimitEnds {
  /** Null where this limit is not what it waits for. */
  dailyUntil: Date | null
  platformUntil: Date | null
}

/** A later day that suits one limit may be too full for the other, so both are tried until they agree. */
function applyLimits(amountCents: Cents, earliest: Date, facts: HoldFacts): LimitEnds {
  const ends: LimitEnds = { dailyUntil: null, platformUntil: null }
  let moment = earliest
  for (;;) {
    const daily = withinDailyLimit(amountCents, { earliest, from: moment }, facts)
    if (daily > moment) ends.dailyUntil = daily
    moment = withinPlatformLimit(amountCents, { earliest, from: daily }, facts)
    if (moment <= daily) return ends
    ends.platformUntil = moment
  }
}

interface SearchSpan {
  /** The moment at which it would leave without limits. */
  earliest: Date
  from: Date
}

/** The same hour of the first day within the limit. What is above the limit by itself leaves on a later day without any other. */
function withinPlatformLimit(amountCents: Cents, { earliest, from }: SearchSpan, { rules, platformDays }: HoldFacts) {
  const limitCents = rules.platformLimitCents
  if (limitCents === noMoney) return from
  const isWithin = (moment: Date) => {
    const takenCents = platformDays.get(saoPauloDay(moment)) ?? noMoney
    return addCents(takenCents, amountCents) <= limitCents || (takenCents === noMoney && moment > earliest)
  }
  let moment = from
  while (!isWithin(moment)) moment = secondsAfter(moment, daySeconds)
  return moment
}

/**
 * The first moment at which the amount and what leaves in the 24 hours before it, or later, stay within the limit. What is
 * above the limit by itself leaves after a day without any other.
 */
function withinDailyLimit(amountCents: Cents, { earliest, from }: SearchSpan, { rules, leaving }: HoldFacts): Date {
  const limitCents = rules.dailyLimitCents
  if (limitCents === noMoney) return from
  const dayLater = [...leaving.map(({ at }) => at), from].map((at) => secondsAfter(at, daySeconds))
  const candidates = dayLater.filter((at) => at > from).sort((one, other) => one.getTime() - other.getTime())
  const isWithin = (moment: Date) => {
    const since = secondsAfter(moment, -daySeconds)
    const counted = leaving.filter(({ at }) => at > since)
    const sum = counted.reduce((cents, each) => addCents(cents, each.amountCents), amountCents)
    return sum <= limitCents || (counted.length === 0 && moment > earliest)
  }
  return [from, ...candidates].find(isWithin) ?? secondsAfter(from, daySeconds)
}

/** Longer than all calls of one attempt to send. */
const SENDING_SECONDS = 60

export function mayBeSending(sendingAt: Date | null, now: Date): boolean {
  return sendingAt !== null && secondsAfter(sendingAt, SENDING_SECONDS) > now
}

/** Until then the bank may still answer. */
export function isOldEnough(handedOverAt: Date | null, now: Date): boolean {
  return handedOverAt !== null && secondsAfter(handedOverAt, SETTLED_BY_HAND_AFTER_HOURS * 3600) <= now
}

/**
 * A Pix that the provider says it sent needs no person's word where the provider reports returns itself. One that is never
 * sent, as nobody here approved it so or its destination is another's, can go nowhere but back.
 */
export function isReturnable(
  { status, isPaidByHand, wasSettledByHand }: Pick<Withdrawal, "status" | "isPaidByHand" | "wasSettledByHand">,
  { payouts, isAuthentic, isNotOwn }: Pick<Psp, "payouts"> & Pick<WaitFacts, "isAuthentic" | "isNotOwn">,
): boolean {
  if (status === "completed") return isPaidByHand || wasSettledByHand || payouts?.reportsReturns !== true
  return status === "approved" && (isPaidByHand || !isAuthentic || isNotOwn)
}

export function isSettleable({ status, sentAt }: Pick<Withdrawal, "status" | "sentAt">, now: Date): boolean {
  return status === "processing" && isOldEnough(sentAt, now)
}

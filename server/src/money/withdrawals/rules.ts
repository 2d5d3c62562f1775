import { SETTLED_BY_HAND_AFTER_HOURS } from "@tilinta/contract/vocabulary/hand-settlement"
import type { HoldReason } from "@tilinta/contract/vocabulary/withdrawal-holds"
import type { HoldRules } from "#domain/platform/settings/read-setting"
import { secondsAfter } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { invariant } from "#kit/invariant"
import { addCents, type Cents, noMoney, reaisText, subtractCents } from "#kit/money"
import { type Day, saoPauloDay } from "#kit/sao-paulo-day"
import { type AccountId, payoutsUnderWay, pspClearing, sellerAvailable, sellerHeld } from "#ledger/accounts"
import type { LedgerTransaction } from "#ledger/post-transactions"
import type { Psp } from "#psp/psp"
import { nameOfUse } from "./destinations.ts"
import { type HandSettlement, type Withdrawal, withdrawalOwnedBy } from "./withdrawal.ts"

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
export function cameBackPostings(withdrawal: Movement, part: Returned, at: Date): LedgerTransaction {
  const { id, sellerId } = withdrawal
  const debit = pspClearing(providerOf(withdrawal))
  const posting = { debit, credit: sellerAvailable(sellerId), amountCents: part.amountCents }
  const reference = `${id}/${part.returnedCents}`
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

/** A request as received: the withdrawal that it becomes if accepted. */
export interface Requested {
  withdrawal: Withdrawal
  /** Null without an Idempotency-Key. */
  claim: { key: string; requestHash: Buffer } | null
}

/** The first request of a key, and the withdrawal that it created. */
export interface Claimed {
  requestHash: Buffer
  withdrawal: Withdrawal | null
}

/** Facts that stay true until the transaction ends, because their rows are locked. */
export interface Standing {
  isEnabled: boolean
  minCents: Cents
  inactiveSellers: ReadonlySet<string>
  /** Since when they are. */
  frozenSellers: ReadonlyMap<string, Date>
  /** Available balance by seller. */
  available: ReadonlyMap<string, Cents>
  /** Ids of requests by an API key whose destination no withdrawal of the browser has reached. */
  unproven: ReadonlySet<string>
  /** Refusals of requests to a destination never paid before, whose session must step up first. */
  unconfirmed: ReadonlyMap<string, DomainError>
  /** Ids of requests to the CPF or CNPJ of somebody else, where protection is strict. */
  notTheirs: ReadonlySet<string>
  holds: HoldFacts
  /** Earlier claims by `claimName`. */
  claims: ReadonlyMap<string, Claimed>
}

export type RequestOutcome = Withdrawal | DomainError

export function claimName(ownerId: string, key: string): string {
  return `${ownerId} ${key}`
}

/** Decides in order of arrival, each after deducting earlier ones. A refused request takes nothing from the next. */
export function decideRequests(standing: Standing, requests: readonly Requested[]): RequestOutcome[] {
  const available = new Map(standing.available)
  const claims = new Map(standing.claims)
  const hold = holding(standing.holds)

  function decide({ withdrawal, claim }: Requested): Withdrawal {
    const { sellerId, amountCents } = withdrawal
    const first = claim === null ? undefined : claims.get(claimName(sellerId, claim.key))
    if (first !== undefined && claim !== null) return repeated(first, claim.requestHash, sellerId)

    checkRules(standing, withdrawal)
    const left = subtractCents(available.get(sellerId) ?? noMoney, amountCents)
    if (left < noMoney) throw insufficientBalance()
    available.set(sellerId, left)
    const held = hold(withdrawal)
    if (claim !== null) claims.set(claimName(sellerId, claim.key), { requestHash: claim.requestHash, withdrawal: held })
    return held
  }

  return requests.map((request) => outcomeOf(() => decide(request)))
}

function repeated(first: Claimed, requestHash: Buffer, sellerId: string): Withdrawal {
  if (!first.requestHash.equals(requestHash)) throw new DomainError("idempotency_key_reused")
  return withdrawalOwnedBy(first.withdrawal, sellerId)
}

function checkRules(standing: Standing, { id, sellerId, amountCents }: Withdrawal): void {
  const { isEnabled, minCents, inactiveSellers, frozenSellers, notTheirs, unproven, unconfirmed } = standing
  if (!isEnabled) throw new DomainError("withdrawals_disabled")
  if (inactiveSellers.has(sellerId)) throw new DomainError("account_disabled")
  if (frozenSellers.has(sellerId)) throw new DomainError("withdrawals_frozen")
  if (unproven.has(id)) throw new DomainError("withdrawal_destination_unproven")
  if (notTheirs.has(id)) throw keyNotTheirs()
  if (amountCents < minCents) throw brokenRule("amount", `O valor mínimo do saque é ${reaisText(minCents)}`)
  const refusal = unconfirmed.get(id)
  if (refusal !== undefined) throw refusal
}

function keyNotTheirs(): DomainError {
  const message = "Esta chave não é do CPF ou CNPJ do seu cadastro."
  return new DomainError("pix_key_not_yours", { errors: [{ path: "pixKey", message }] })
}

export function insufficientBalance(cause?: unknown): DomainError {
  const errors = [{ path: "amount", message: "Saldo insuficiente" }]
  return new DomainError("insufficient_balance", { errors, cause })
}

function outcomeOf(decide: () => Withdrawal): RequestOutcome {
  try {
    return decide()
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

const daySeconds = 86_400

/** An amount, and the moment at which it leaves at the earliest. */
export interface Leaving {
  at: Date
  amountCents: Cents
}

/** Facts that stay true until the transaction ends, because balances and users are locked. */
export interface HoldFacts {
  rules: HoldRules
  /** By `nameOfUse`; new destinations are missing. */
  firstUses: ReadonlyMap<string, Date>
  /** By seller. */
  recoveredAt: ReadonlyMap<string, Date>
  /** By seller: withdrawals of the last 24 hours, and those that leave later. */
  leaving: ReadonlyMap<string, readonly Leaving[]>
  /** Everybody's, by the São Paulo day on which they leave at the earliest: today's and those that are held to later ones. */
  platformDays: ReadonlyMap<Day, Cents>
}

/** Null when it is over, or the rule is off. */
export function holdAfterHours(since: Date | null | undefined, hours: number, now: Date): Date | null {
  if (since === null || since === undefined) return null
  const until = secondsAfter(since, hours * 3_600)
  return until > now ? until : null
}

/** Returns the function that holds one accepted withdrawal after the other, each counting for the next. */
export function holding(facts: HoldFacts): (withdrawal: Withdrawal) => Withdrawal {
  const { rules } = facts
  const firstUses = new Map(facts.firstUses)
  const leaving = new Map(facts.leaving)
  const platformDays = new Map(facts.platformDays)

  return (withdrawal) => {
    const { sellerId, amountCents, createdAt: now } = withdrawal
    const name = nameOfUse(withdrawal)
    const firstUse = firstUses.get(name) ?? now
    firstUses.set(name, firstUse)
    const holds: { reason: HoldReason; until: Date | null }[] = [
      { reason: "new_destination", until: holdAfterHours(firstUse, rules.newDestinationHours, now) },
      { reason: "recovery", until: holdAfterHours(facts.recoveredAt.get(sellerId), rules.recoveryHours, now) },
    ]
    const others = leaving.get(sellerId) ?? []
    const limits = { rules, others, platformDays, earliest: latestOf(holds) ?? now }
    const { at, dailyUntil, platformUntil } = roomWithinLimits(amountCents, limits)
    holds.push({ reason: "platform_limit", until: platformUntil }, { reason: "daily_limit", until: dailyUntil })
    leaving.set(sellerId, [...others, { at, amountCents }])
    platformDays.set(saoPauloDay(at), addCents(platformDays.get(saoPauloDay(at)) ?? noMoney, amountCents))
    const heldUntil = latestOf(holds)
    if (heldUntil === null) return withdrawal
    const reasons = holds.filter(({ until }) => until !== null).map(({ reason }) => reason)
    return { ...withdrawal, heldUntil, holdReasons: reasons }
  }
}

function latestOf(holds: readonly { until: Date | null }[]): Date | null {
  const moments = holds.flatMap(({ until }) => (until === null ? [] : [until.getTime()]))
  return moments.length === 0 ? null : new Date(Math.max(...moments))
}

interface Limits {
  rules: HoldRules
  others: readonly Leaving[]
  platformDays: ReadonlyMap<Day, Cents>
  earliest: Date
}

interface Room {
  at: Date
  /** Null where this limit is not what it waits for. */
  dailyUntil: Date | null
  platformUntil: Date | null
}

/** A later day that suits one limit may be too full for the other one, so both are asked until they agree. */
function roomWithinLimits(amountCents: Cents, { rules, others, platformDays, earliest }: Limits): Room {
  const room: Room = { at: earliest, dailyUntil: null, platformUntil: null }
  for (;;) {
    const own = roomFor(amountCents, { others, earliest, from: room.at, limitCents: rules.dailyLimitCents })
    if (own > room.at) room.dailyUntil = own
    const limitCents = rules.platformLimitCents
    room.at = platformRoomFor(amountCents, { platformDays, earliest, from: own, limitCents })
    if (room.at <= own) return room
    room.platformUntil = room.at
  }
}

interface PlatformRoom extends Pick<Limits, "platformDays" | "earliest"> {
  from: Date
  limitCents: Cents
}

/** The same hour of the first day with room. What is above the limit by itself leaves on a later day without any other. */
function platformRoomFor(amountCents: Cents, { platformDays, earliest, from, limitCents }: PlatformRoom): Date {
  if (limitCents === noMoney) return from
  const fits = (moment: Date) => {
    const takenCents = platformDays.get(saoPauloDay(moment)) ?? noMoney
    return addCents(takenCents, amountCents) <= limitCents || (takenCents === noMoney && moment > earliest)
  }
  let at = from
  while (!fits(at)) at = secondsAfter(at, daySeconds)
  return at
}

interface OwnRoom extends Pick<Limits, "others" | "earliest"> {
  from: Date
  limitCents: Cents
}

/**
 * The first moment at which the amount and what leaves in the 24 hours before it, or later, stay within the limit. What is
 * above the limit by itself leaves after a day without any other.
 */
function roomFor(amountCents: Cents, { others, earliest, from, limitCents }: OwnRoom): Date {
  if (limitCents === noMoney) return from
  const later = [...others.map(({ at }) => at), from].map((at) => secondsAfter(at, daySeconds))
  const moments = later.filter((at) => at > from).sort((one, other) => one.getTime() - other.getTime())
  const fits = (moment: Date) => {
    const since = secondsAfter(moment, -daySeconds)
    const counted = others.filter(({ at }) => at > since)
    const sum = counted.reduce((cents, each) => addCents(cents, each.amountCents), amountCents)
    return sum <= limitCents || (counted.length === 0 && moment > earliest)
  }
  return [from, ...moments].find(fits) ?? secondsAfter(from, daySeconds)
}

/** Two admins must say the same, unless only one may decide: nobody decides about their own money. */
export function isEnough(
  { confirmedBy }: Pick<HandSettlement, "confirmedBy">,
  sellerId: string | null,
  admins: readonly string[],
): boolean {
  return confirmedBy !== null || admins.filter((adminId) => adminId !== sellerId).length < 2
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

/** A Pix that the provider says it sent needs no person's word where the provider reports returns itself. */
export function isReturnable(
  { status, isPaidByHand, wasSettledByHand }: Pick<Withdrawal, "status" | "isPaidByHand" | "wasSettledByHand">,
  payouts: Psp["payouts"],
): boolean {
  if (status === "completed") return isPaidByHand || wasSettledByHand || payouts?.reportsReturns !== true
  return status === "approved" && isPaidByHand
}

export function isSettleable({ status, sentAt }: Pick<Withdrawal, "status" | "sentAt">, now: Date): boolean {
  return status === "processing" && isOldEnough(sentAt, now)
}

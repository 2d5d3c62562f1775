import { addCents, type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { HoldReason } from "@tilinta/contract/vocabulary/withdrawal-holds"
import { nameOfUse } from "#domain/money/destinations/note-uses"
import type { HoldRules } from "#domain/platform/settings/read-setting"
import { secondsAfter } from "#kit/clock"
import { type Day, saoPauloDay } from "#kit/sao-paulo-day"
import type { Withdrawal } from "./withdrawal.ts"

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

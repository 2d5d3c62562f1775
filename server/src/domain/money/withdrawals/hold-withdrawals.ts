import type { HoldReason } from "@tilinta/contract/vocabulary/withdrawal-holds"
import { nameOfUse } from "#domain/money/destinations/note-uses"
import type { HoldRules } from "#domain/platform/settings/read-setting"
import { secondsAfter } from "#kit/clock"
import { addCents, type Cents, noMoney } from "#kit/money"
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
  /** Requested by everybody today. */
  platformCents: Cents
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
  let { platformCents } = facts

  return (withdrawal) => {
    const { sellerId, amountCents, createdAt: now } = withdrawal
    const name = nameOfUse(withdrawal)
    const firstUse = firstUses.get(name) ?? now
    firstUses.set(name, firstUse)
    const holds: { reason: HoldReason; until: Date | null }[] = [
      { reason: "new_destination", until: holdAfterHours(firstUse, rules.newDestinationHours, now) },
      { reason: "recovery", until: holdAfterHours(facts.recoveredAt.get(sellerId), rules.recoveryHours, now) },
    ]
    platformCents = addCents(platformCents, amountCents)
    const isBeyond = rules.platformLimitCents > noMoney && platformCents > rules.platformLimitCents
    holds.push({ reason: "platform_limit", until: isBeyond ? secondsAfter(now, daySeconds) : null })

    const others = leaving.get(sellerId) ?? []
    const earliest = latestOf(holds) ?? now
    const room = roomFor(amountCents, { others, earliest, limitCents: rules.dailyLimitCents })
    holds.push({ reason: "daily_limit", until: room > earliest ? room : null })
    leaving.set(sellerId, [...others, { at: room, amountCents }])
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

interface Day {
  others: readonly Leaving[]
  earliest: Date
  limitCents: Cents
}

/**
 * The first moment at which the amount and what leaves in the 24 hours before it, or later, stay within the limit. What is
 * above the limit by itself leaves after a day without any other.
 */
function roomFor(amountCents: Cents, { others, earliest, limitCents }: Day): Date {
  if (limitCents === noMoney) return earliest
  const later = [...others.map(({ at }) => at), earliest].map((at) => secondsAfter(at, daySeconds))
  const moments = later.filter((at) => at > earliest).sort((one, other) => one.getTime() - other.getTime())
  const fits = (moment: Date) => {
    const from = secondsAfter(moment, -daySeconds)
    const counted = others.filter(({ at }) => at > from)
    const sum = counted.reduce((cents, each) => addCents(cents, each.amountCents), amountCents)
    return sum <= limitCents || (counted.length === 0 && moment > earliest)
  }
  return [earliest, ...moments].find(fits) ?? secondsAfter(earliest, daySeconds)
}

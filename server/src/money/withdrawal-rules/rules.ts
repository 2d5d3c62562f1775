import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { RulePause, RulePeriod } from "@tilinta/contract/vocabulary/withdrawals"
import { daysAfter, firstDayOf, monthOf, monthsAfter, saoPauloDay, secondsAfter, startOfDay } from "#kit/clock"
import { type Destination, destinationFacts } from "#money/withdrawals/withdrawal"
import type { Order } from "#platform/order-macs/macs"

export interface WithdrawalRule {
  sellerId: string
  every: RulePeriod
  aboveCents: Cents
  destinationId: string
  nextAt: Date
  pausedBecause: RulePause | null
  failure: string
  lastWithdrawalId: string | null
  mac: string | null
}

/** As its seller chose it. The destination's row alone could name another place by then. */
export function ruleOrder({ sellerId, every, aboveCents, destinationId }: Chosen, destination: Destination): Order {
  const facts = [every, aboveCents, destinationId, ...destinationFacts(destination)]
  return { act: "withdrawal.rule", id: sellerId, facts }
}

type Chosen = Pick<WithdrawalRule, "sellerId" | "every" | "aboveCents" | "destinationId">

const AT_SIX = 6 * 3_600

/** The first morning after this moment: any, a Monday's, or that of a month's first day. */
export function nextMorning(every: RulePeriod, after: Date): Date {
  const today = saoPauloDay(after)
  const isEarly = secondsAfter(startOfDay(today), AT_SIX) > after
  let day = isEarly ? today : daysAfter(today, 1)
  if (every === "week") while (new Date(`${day}T00:00:00Z`).getUTCDay() !== 1) day = daysAfter(day, 1)
  if (every === "month" && !day.endsWith("-01")) day = firstDayOf(monthsAfter(monthOf(day), 1))
  return secondsAfter(startOfDay(day), AT_SIX)
}

import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import { readFirstUses } from "#domain/money/destinations/note-uses"
import type { HeldPerson } from "#domain/people/users/find-people"
import { readHoldRules } from "#domain/platform/settings/read-setting"
import { readWithdrawalTotalsOfPlatform } from "#domain/platform/totals/read-platform-totals"
import { secondsAfter } from "#kit/clock"
import type { Protection } from "#kit/protection"
import { type Day, saoPauloDay, startOfDay } from "#kit/sao-paulo-day"
import { findLeaving, lockPlatformLimit, sumHeldSince } from "./hold-facts-repository.ts"
import type { HoldFacts } from "./hold-withdrawals.ts"
import type { Withdrawal } from "./withdrawal.ts"

interface Asked {
  withdrawals: readonly Withdrawal[]
  people: ReadonlyMap<string, HeldPerson>
  protection: Protection
}

/** Call it under the sellers' balances and users. A rule that is off costs nothing. */
export async function readHoldFacts(tx: Tx, { withdrawals, people, protection }: Asked): Promise<HoldFacts> {
  const rules = await readHoldRules(tx, protection)
  const now = new Date(Math.max(...withdrawals.map(({ createdAt }) => createdAt.getTime())))
  const since = secondsAfter(now, -86_400)
  return {
    rules,
    firstUses: await readFirstUses(tx, withdrawals),
    recoveredAt: new Map(
      [...people.values()].flatMap(({ id, recoveredAt }) => (recoveredAt === null ? [] : [[id, recoveredAt] as const])),
    ),
    leaving: rules.dailyLimitCents > noMoney ? await findLeaving(tx, [...people.keys()], since) : new Map(),
    platformDays: rules.platformLimitCents > noMoney ? await readPlatformDays(tx, now) : new Map(),
  }
}

/**
 * Today carries the requests of today, without those held to a later day, and those held until today. Others that decide at
 * the same moment wait for this transaction.
 */
async function readPlatformDays(tx: Tx, now: Date): Promise<Map<Day, Cents>> {
  await lockPlatformLimit(tx)
  const today = saoPauloDay(now)
  const statuses = ["pending", "approved", "processing", "completed"] as const
  const totals = await readWithdrawalTotalsOfPlatform(tx, { statuses, dayFrom: today, dayTo: today })
  const days = new Map<Day, Cents>()
  const add = (day: Day, cents: Cents) => days.set(day, addCents(days.get(day) ?? noMoney, cents))
  for (const { grossCents } of totals) add(today, grossCents)
  for (const { day, isOfToday, cents } of await sumHeldSince(tx, startOfDay(today))) {
    if (isOfToday) add(today, subtractCents(noMoney, cents))
    add(day, cents)
  }
  return days
}

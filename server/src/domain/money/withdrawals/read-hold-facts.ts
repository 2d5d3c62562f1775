import type { Tx } from "#db/transaction"
import { readFirstUses } from "#domain/money/destinations/note-uses"
import type { HeldPerson } from "#domain/people/users/find-people"
import { readHoldRules } from "#domain/platform/settings/read-setting"
import { readWithdrawalTotalsOfPlatform } from "#domain/platform/totals/read-platform-totals"
import { secondsAfter } from "#kit/clock"
import { addCents, type Cents, noMoney } from "#kit/money"
import type { Protection } from "#kit/protection"
import { saoPauloDay } from "#kit/sao-paulo-day"
import type { HoldFacts } from "./hold-withdrawals.ts"
import type { Withdrawal } from "./withdrawal.ts"
import { findLeaving, lockPlatformLimit } from "./withdrawals-repository.ts"

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
    platformCents: rules.platformLimitCents > noMoney ? await readPlatformDay(tx, now) : noMoney,
  }
}

/** Others that decide at the same moment wait for this transaction. */
async function readPlatformDay(tx: Tx, now: Date): Promise<Cents> {
  await lockPlatformLimit(tx)
  const day = saoPauloDay(now)
  const statuses = ["pending", "approved", "processing", "completed"] as const
  const totals = await readWithdrawalTotalsOfPlatform(tx, { statuses, dayFrom: day, dayTo: day })
  return totals.reduce((sum, { grossCents }) => addCents(sum, grossCents), noMoney)
}

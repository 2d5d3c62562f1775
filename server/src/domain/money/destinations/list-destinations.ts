import type { Db } from "#db/transaction"
import { holdAfterHours } from "#domain/money/withdrawals/hold-withdrawals"
import { findFrozen } from "#domain/people/freezes/find-frozen"
import { findRecoveredAt } from "#domain/people/users/recovery"
import { readHoldRules } from "#domain/platform/settings/read-setting"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/protection"
import { listRows, type UsedDestination } from "./destinations-repository.ts"

interface Listed extends UsedDestination {
  /** Null when a withdrawal to it doesn't wait. */
  heldUntil: Date | null
}

interface DestinationList {
  destinations: Listed[]
  newDestinationHours: number
  /** Until when every withdrawal waits, after a recovery. */
  heldUntil: Date | null
  frozenAt: Date | null
}

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

/** The places where a seller was paid or asked to be, with what a request would wait for now. */
export async function listDestinations({ db, clock, protection }: Deps, sellerId: string): Promise<DestinationList> {
  const now = clock.now()
  const [used, rules, frozen, recoveredAt] = await Promise.all([
    listRows(db, sellerId),
    readHoldRules(db, protection),
    findFrozen(db, [sellerId]),
    findRecoveredAt(db, sellerId),
  ])
  const { newDestinationHours, recoveryHours } = rules
  return {
    destinations: used.map((each) => ({
      ...each,
      heldUntil: holdAfterHours(each.firstUsedAt, newDestinationHours, now),
    })),
    newDestinationHours,
    heldUntil: holdAfterHours(recoveredAt, recoveryHours, now),
    frozenAt: frozen.get(sellerId) ?? null,
  }
}

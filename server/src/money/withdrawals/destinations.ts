import type { Db, Tx } from "#db/transaction"
import { findFrozen } from "#domain/people/freezes/find-frozen"
import { lockAccount } from "#domain/people/users/lock-account"
import { findRecoveredAt } from "#domain/people/users/recovery"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { readHoldRules } from "#domain/platform/settings/read-setting"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/protection"
import { listUsedDestinations } from "./reads.ts"
import { endOfDelay } from "./rules.ts"
import { deleteDestinationsOf, removeDestinationRow, removeDoubtfulDestinations } from "./table.ts"
import { maskedDestination, type UsedDestination } from "./withdrawal.ts"

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
    listUsedDestinations(db, sellerId),
    readHoldRules(db, protection),
    findFrozen(db, [sellerId]),
    findRecoveredAt(db, sellerId),
  ])
  const { newDestinationHours, recoveryHours } = rules
  return {
    destinations: used.map((each) => ({
      ...each,
      heldUntil: endOfDelay(each.firstUsedAt, newDestinationHours, now),
    })),
    newDestinationHours,
    heldUntil: endOfDelay(recoveredAt, recoveryHours, now),
    frozenAt: frozen.get(sellerId) ?? null,
  }
}

interface Removal {
  id: string
  seller: Actor
}

/**
 * The destination is new again at its next use, for API keys and for requests in the browser. What was requested before goes
 * on. @throws not_found also when it was removed before
 */
export async function removeDestination({ db, clock }: { db: Db; clock: Clock }, removal: Removal): Promise<void> {
  if (!isId(removal.id)) throw new DomainError("not_found")
  const now = clock.now()
  await db.transaction().execute((tx) => remove(tx, removal, now))
}

/** A request holds the user's row, too: it is decided before the removal, or sees it. */
async function remove(tx: Tx, { id, seller }: Removal, now: Date): Promise<void> {
  await lockAccount(tx, seller.id)
  const removed = await removeDestinationRow(tx, { id, sellerId: seller.id, now })
  if (removed === null) throw new DomainError("not_found")
  await recordAudit(tx, {
    actor: seller,
    happenedAt: now,
    action: "destination.removed",
    entity: "user",
    entityId: seller.id,
    before: { destination: maskedDestination(removed.destination) },
    after: null,
  })
}

/** Longer than a thief waits for the money, shorter than the habits of most sellers. */
const DOUBTFUL_DAYS = 30

/**
 * After a complaint of the owner's, a place where nothing ever arrived is new again, and so is one that was first used in the
 * last days: a thief may have been paid there already.
 */
export async function distrustDestinations(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await removeDoubtfulDestinations(tx, sellerId, { usedSince: secondsAfter(now, -DOUBTFUL_DAYS * 86_400), now })
}

/** For an account that is deleted. What was paid says itself where it went. */
export async function eraseDestinations(tx: Tx, sellerId: string): Promise<void> {
  await deleteDestinationsOf(tx, sellerId)
}

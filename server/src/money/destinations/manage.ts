import type { DestinationOwner } from "@tilinta/contract/vocabulary/withdrawals"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { type PaidWithin, readPaidWithin } from "#money/withdrawals/operator-reads"
import { endOfDelay } from "#money/withdrawals/rules"
import { maskedDestination } from "#money/withdrawals/withdrawal"
import { findFrozen } from "#people/freezes/freeze"
import { lockAccount } from "#people/users/change-user"
import { findRecoveredRow } from "#people/users/reads"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { readHoldRules } from "#platform/settings/reads"
import { findOwners, listUsedDestinations } from "./reads.ts"
import type { UsedDestination } from "./rules.ts"
import { removeDestinationRow } from "./table.ts"

export { removeDoubtfulDestinations, saveDestinationUse } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface ListedDestination extends UsedDestination {
  /** Null when a withdrawal to it doesn't wait. */
  heldUntil: Date | null
  owner: DestinationOwner
}

interface DestinationList {
  destinations: ListedDestination[]
  newDestinationHours: number
  /** Until when every withdrawal waits, after a recovery. */
  heldUntil: Date | null
  frozenAt: Date | null
  paidWithin: PaidWithin | null
}

interface SellersOwn {
  id: string
  seller: Actor
}

/** The places where a seller was paid or asked to be, with what a request would wait for now. */
export async function listDestinations(
  { db, clock, protection }: Deps & { protection: Protection },
  sellerId: string,
): Promise<DestinationList> {
  const now = clock.now()
  const [used, rules, frozen, recoveredAt, paidWithin] = await Promise.all([
    listUsedDestinations(db, sellerId),
    readHoldRules(db, protection),
    findFrozen(db, [sellerId]),
    findRecoveredRow(db, sellerId),
    readPaidWithin(db),
  ])
  const owners = await findOwners(
    db,
    used.map(({ id, destination }) => ({ id, sellerId, destination, createdAt: now })),
  )
  const { newDestinationHours, recoveryHours } = rules
  return {
    destinations: used.map((each) => ({
      ...each,
      heldUntil: endOfDelay(each.firstUsedAt, newDestinationHours, now),
      owner: owners.get(each.id)?.owner ?? "unknown",
    })),
    newDestinationHours,
    heldUntil: endOfDelay(recoveredAt, recoveryHours, now),
    frozenAt: frozen.get(sellerId) ?? null,
    paidWithin,
  }
}

/**
 * The destination is new again at its next use, for API keys and for requests in the browser. What was requested before goes
 * on. @throws not_found also when it was removed before
 */
export async function removeDestination({ db, clock }: Deps, removal: SellersOwn): Promise<void> {
  if (!isId(removal.id)) throw new DomainError("not_found")
  const now = clock.now()
  await db.transaction().execute((tx) => remove(tx, removal, now))
}

/** A request holds the user's row, too: it is decided before the removal, or sees it. */
async function remove(tx: Tx, { id, seller }: SellersOwn, now: Date): Promise<void> {
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

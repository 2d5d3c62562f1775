import type { Db, Tx } from "#db/transaction"
import { maskedDestination } from "#domain/money/withdrawals/withdrawal-notices"
import { lockAccount } from "#domain/people/users/lock-account"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { removeRow } from "./destinations-repository.ts"

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
  const removed = await removeRow(tx, { id, sellerId: seller.id, now })
  if (removed === null) throw new DomainError("not_found")
  await recordAudit(tx, {
    ...{ actor: seller, happenedAt: now, action: "destination.removed", entity: "user", entityId: seller.id },
    before: { destination: maskedDestination(removed.destination) },
    after: null,
  })
}

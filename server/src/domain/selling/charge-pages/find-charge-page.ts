import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { type ChargePage, statusAt } from "./charge-page.ts"
import { findChargePage } from "./charge-pages-repository.ts"

/** The owner's view. 404 when unknown or deleted, 403 when it is someone else's. */
export async function getOwnChargePage(
  { db, clock }: { db: Db; clock: Clock },
  { id, sellerId }: { id: string; sellerId: string },
): Promise<ChargePage> {
  const page = isId(id) ? await findChargePage(db, id) : null
  return { ...chargePageOwnedBy(page, sellerId), status: statusAt(chargePageOwnedBy(page, sellerId), clock.now()) }
}

export function chargePageOwnedBy(page: ChargePage | null, sellerId: string): ChargePage {
  if (page === null) throw new DomainError("charge_page_not_found")
  if (page.sellerId !== sellerId) throw new DomainError("charge_page_forbidden")
  return page
}

import type { Db } from "#db/transaction"
import { getUser } from "#domain/users/get-user"
import type { Clock } from "#kit/clock"
import { type ChargePage, statusAt } from "./charge-page.ts"
import { findChargePage, findChargePageByLink } from "./charge-pages-repository.ts"

export interface PublicChargePage {
  page: ChargePage
  sellerName: string
}

/** What a payer may see: active or completed, of an active seller. Anything else is as if it never was. */
export async function findPublicChargePage(db: Db, clock: Clock, link: string): Promise<PublicChargePage | null> {
  return publicPage(db, clock, await findChargePageByLink(db, link))
}

export async function findPublicChargePageById(db: Db, clock: Clock, id: string): Promise<PublicChargePage | null> {
  return publicPage(db, clock, await findChargePage(db, id))
}

async function publicPage(db: Db, clock: Clock, page: ChargePage | null): Promise<PublicChargePage | null> {
  if (page === null) return null
  const status = statusAt(page, clock.now())
  if (status !== "active" && status !== "completed") return null
  const seller = await getUser(db, page.sellerId)
  if (!seller.active) return null
  return { page: { ...page, status }, sellerName: seller.name }
}

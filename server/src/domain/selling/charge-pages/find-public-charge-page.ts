import { isVisiblePage } from "@tilinta/contract/vocabulary/charge-page-status"
import type { Db } from "#db/transaction"
import { getUser } from "#domain/people/users/get-user"
import type { Clock } from "#kit/clock"
import { type ChargePage, statusAt } from "./charge-page.ts"
import { findChargePage, findChargePageByLink } from "./charge-pages-repository.ts"
import { findPagesToCharge, type PageToCharge } from "./pages-to-charge-repository.ts"

export type { PageToCharge } from "./pages-to-charge-repository.ts"

export interface PublicChargePage {
  page: ChargePage
  sellerName: string
}

/** Payers see active and completed pages of active sellers. Any other page counts as nonexistent. */
export async function findPublicChargePage(db: Db, clock: Clock, link: string): Promise<PublicChargePage | null> {
  return publicPage(db, clock, await findChargePageByLink(db, link))
}

/** A page's link, and whether payers still see it; null for a deleted page. */
export async function findLinkOfPage(
  { db, clock }: { db: Db; clock: Clock },
  id: string,
): Promise<{ uniqueLink: string; isVisible: boolean } | null> {
  const page = await findChargePage(db, id)
  return page && { uniqueLink: page.uniqueLink, isVisible: (await publicPage(db, clock, page)) !== null }
}

/** Null for an unknown page or an inactive seller; `visibleAt` checks whether its time is over. */
export async function findPagesToChargeById(db: Db, ids: readonly string[]): Promise<(PageToCharge | null)[]> {
  const pages = new Map((await findPagesToCharge(db, ids)).map((page) => [page.id, page]))
  return ids.map((id) => pages.get(id) ?? null)
}

export function visibleAt<Page extends Pick<ChargePage, "status" | "expiresAt">>(page: Page, now: Date): Page | null {
  const status = statusAt(page, now)
  return isVisiblePage(status) ? { ...page, status } : null
}

async function publicPage(db: Db, clock: Clock, page: ChargePage | null): Promise<PublicChargePage | null> {
  const visible = page === null ? null : visibleAt(page, clock.now())
  if (visible === null) return null
  const seller = await getUser(db, visible.sellerId)
  return seller.active ? { page: visible, sellerName: seller.name } : null
}

import type { Db } from "#db/transaction"
import { getUser } from "#domain/people/users/get-user"
import type { Clock } from "#kit/clock"
import { type ChargePage, statusAt } from "./charge-page.ts"
import { findChargePageByLink } from "./charge-pages-repository.ts"
import { findPagesToCharge, type PageToCharge } from "./pages-to-charge-repository.ts"

export type { PageToCharge } from "./pages-to-charge-repository.ts"

export interface PublicChargePage {
  page: ChargePage
  sellerName: string
}

/** What a payer may see: active or completed, of an active seller. Anything else is as if it never was. */
export async function findPublicChargePage(db: Db, clock: Clock, link: string): Promise<PublicChargePage | null> {
  return publicPage(db, clock, await findChargePageByLink(db, link))
}

/** Null where there is none, or its seller is inactive; whether its time is over is for `visibleAt` to say. */
export async function findPagesToChargeById(db: Db, ids: readonly string[]): Promise<(PageToCharge | null)[]> {
  const pages = new Map((await findPagesToCharge(db, ids)).map((page) => [page.id, page]))
  return ids.map((id) => pages.get(id) ?? null)
}

export function visibleAt<Page extends Pick<ChargePage, "status" | "expiresAt">>(page: Page, now: Date): Page | null {
  const status = statusAt(page, now)
  return status === "active" || status === "completed" ? { ...page, status } : null
}

async function publicPage(db: Db, clock: Clock, page: ChargePage | null): Promise<PublicChargePage | null> {
  const visible = page === null ? null : visibleAt(page, clock.now())
  if (visible === null) return null
  const seller = await getUser(db, visible.sellerId)
  return seller.active ? { page: visible, sellerName: seller.name } : null
}

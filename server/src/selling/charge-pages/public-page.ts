import { isVisiblePage } from "@tilinta/contract/vocabulary/charge-pages"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { getUser } from "#people/users/reads"
import { findChargePage, findChargePageByLink, findPagesToCharge } from "./reads.ts"
import { type ChargePage, type PageToCharge, statusAt } from "./rules.ts"

export interface PublicChargePage {
  page: ChargePage
  sellerName: string
}

/** Why payers don't see a page. */
export type HiddenBy = "public_charge_page_not_found" | "charge_page_not_open" | "charge_page_suspended"

type PublicPageResult = { found: PublicChargePage; hiddenBy: null } | { found: null; hiddenBy: HiddenBy }

/** Payers see active and completed pages of active sellers who confirmed their e-mail. */
export async function checkPublicPage(db: Db, clock: Clock, link: string): Promise<PublicPageResult> {
  return publicPage(db, clock, await findChargePageByLink(db, link))
}

/** Null for a page that payers don't see. */
export async function findPublicChargePage(db: Db, clock: Clock, link: string): Promise<PublicChargePage | null> {
  return (await checkPublicPage(db, clock, link)).found
}

/** A page's link, and whether payers still see it; null for a deleted page. */
export async function findLinkOfPage(
  { db, clock }: { db: Db; clock: Clock },
  id: string,
): Promise<{ uniqueLink: string; isVisible: boolean } | null> {
  const page = await findChargePage(db, id)
  return page && { uniqueLink: page.uniqueLink, isVisible: (await publicPage(db, clock, page)).found !== null }
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

async function publicPage(db: Db, clock: Clock, page: ChargePage | null): Promise<PublicPageResult> {
  const visible = page === null ? null : visibleAt(page, clock.now())
  if (visible === null) return unknown
  const seller = await getUser(db, visible.sellerId)
  if (!seller.active) return unknown
  if (visible.suspension !== null) return { found: null, hiddenBy: "charge_page_suspended" }
  if (seller.emailState === "unconfirmed") return { found: null, hiddenBy: "charge_page_not_open" }
  return { found: { page: visible, sellerName: seller.name }, hiddenBy: null }
}

const unknown: PublicPageResult = { found: null, hiddenBy: "public_charge_page_not_found" }

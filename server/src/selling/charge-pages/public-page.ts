import type { PublicInvoiceView } from "@tilinta/contract/charge-pages"
import { isVisiblePage } from "@tilinta/contract/vocabulary/charge-pages"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { findShop } from "#people/shops/reads"
import type { Shop } from "#people/shops/rules"
import { getUser } from "#people/users/reads"
import { findChargePage, findChargePageByLink, findPagesToCharge } from "./reads.ts"
import { type ChargePage, type PageToCharge, statusAt } from "./rules.ts"

export interface PublicChargePage {
  page: ChargePage
  sellerName: string
  /** Null where payers see the seller's own name. */
  shop: Shop | null
  /** The terms of its invoice; absent of any other page. */
  invoice?: PublicInvoiceView
}

/** Why payers don't see a page. */
export type HiddenBy =
  | "public_charge_page_not_found"
  | "charge_page_not_open"
  | "charge_page_suspended"
  | "debit_under_way"

export type PublicPageResult =
  | { found: PublicChargePage; pageId: string; hiddenBy: null; closedShop: null }
  | {
      found: null
      /** Null of a page that isn't there. */
      pageId: string | null
      hiddenBy: HiddenBy
      /** The shop of a page that is over or suspended; null of a page that isn't there, and without a shop. */
      closedShop: Shop | null
    }

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
  if (page === null) return unknownPage
  const seller = await getUser(db, page.sellerId)
  if (!seller.active) return unknownPage
  const visible = visibleAt(page, clock.now())
  const isConfirmed = seller.emailState !== "unconfirmed"
  if (visible !== null && visible.suspension === null && !isConfirmed)
    return hidden(page.id, "charge_page_not_open", null)
  const shop = isConfirmed ? await findShop(db, page.sellerId) : null
  if (visible === null) return hidden(page.id, "public_charge_page_not_found", shop)
  if (visible.suspension !== null) return hidden(page.id, "charge_page_suspended", shop)
  return { found: { page: visible, sellerName: seller.name, shop }, pageId: page.id, hiddenBy: null, closedShop: null }
}

function hidden(pageId: string | null, hiddenBy: HiddenBy, closedShop: Shop | null): PublicPageResult {
  return { found: null, pageId, hiddenBy, closedShop }
}

export const unknownPage = hidden(null, "public_charge_page_not_found", null)

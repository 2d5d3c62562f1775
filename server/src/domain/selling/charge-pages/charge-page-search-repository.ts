import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import { foldedPattern } from "#db/holds-text"
import type { SearchFor } from "#db/search-for"
import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import { pagesWithReference } from "./orders-repository.ts"

export interface FoundChargePage {
  id: string
  title: string
  amountCents: Cents
  status: ChargePageStatus
  expiresAt: Date | null
  sellerName: string
}

interface Row {
  id: string
  title: string
  amount_cents: Cents
  status: ChargePageStatus
  expires_at: Date | null
  seller_name: string
}

/** Finds a page by its id, or the newest ones with the words in their title or their order's reference. */
export async function findChargePagesWithText(
  db: Db,
  { words, sellerId, atMost }: SearchFor,
): Promise<FoundChargePage[]> {
  const owned = sellerId === undefined ? sql`true` : sql`page.seller_id = ${sellerId}`
  // Each part takes its newest by an index of its own: a common word must not make all its matches be read and sorted.
  const found = isId(words)
    ? sql`select ${words}::uuid`
    : sql`(
        select page.id from charge_pages page
        where page.deleted_at is null and ${owned} and page.search_text like ${foldedPattern(words)}
        order by page.created_at desc, page.id desc limit ${atMost}
      ) union all (
        ${pagesWithReference(words, sellerId)} and not is_released order by page_id desc limit ${atMost * 2}
      )`
  const { rows } = await sql<Row>`
    select page.id, page.title, page.amount_cents, page.status, page.expires_at, seller.name as seller_name
    from charge_pages page join users seller on seller.id = page.seller_id
    where page.deleted_at is null and ${owned} and page.id in (${found})
    order by page.created_at desc, page.id desc limit ${atMost}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    amountCents: row.amount_cents,
    status: row.status,
    expiresAt: row.expires_at,
    sellerName: row.seller_name,
  }))
}

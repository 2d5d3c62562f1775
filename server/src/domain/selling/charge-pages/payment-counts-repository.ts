import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import { sql } from "kysely"
import { prepared } from "#db/prepared"
import type { ChangedRow } from "#db/row-types"
import { integer, rowsOf, text, textList, uuid, uuidList } from "#db/rows-of"
import { lookup } from "#db/sql-part"
import type { Tx } from "#db/transaction"
import type { ChargePage } from "./charge-page.ts"

export type CountedPage = Pick<ChargePage, "id" | "status" | "maxPayments" | "paymentsCount"> & {
  /** Payments of this batch, which `paymentsCount` includes. */
  added: number
}

/** A page with the number of its charges that a batch pays. */
export type PageOfPayments = CountedPage & { comingCount: number }

interface LockedPage extends PageOfPayments {
  awaitsFold: boolean
}

/**
 * Locks the pages that are counted at once, in the order of ids, like every writer. Includes deleted pages: their
 * payments are still money. A charge's page never changes, so finding it needs no lock.
 */
export async function lockPagesOfTxids(tx: Tx, txids: string[]): Promise<PageOfPayments[]> {
  const { rows } = await prepared<LockedPage>("lock-pages-of-txids")`
    select page.id, page.status, page.max_payments as "maxPayments", page.payments_count as "paymentsCount",
      0 as added, counted.coming_count as "comingCount",
      page.folded_below > (select below from folded_payments where is_only) as "awaitsFold"
    from (
      select page_id, count(*) as coming_count from charges where txid = any(${textList(txids)})
      group by page_id
    ) counted
    join charge_pages page on ${lookup("page.id", "counted.page_id")}
    where page.counted_at_once
    order by page.id::text for update of page`.execute(tx)
  const counts = await readCounts(tx, rows)
  return rows.map((page) => ({ ...page, paymentsCount: counts.get(page.id) ?? page.paymentsCount }))
}

/** Payments from before the page was counted at once, until they are folded. The page's lock keeps the fold waiting. */
async function readCounts(tx: Tx, pages: readonly LockedPage[]): Promise<Map<string, number>> {
  const ids = pages.filter(({ awaitsFold }) => awaitsFold).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const { rows } = await prepared<{ id: string; count: number }>("read-counts-of-pages")`
    select page.id, page.payments_count + coalesce(waiting.count, 0) as count
    from charge_pages page
    left join page_payments waiting on waiting.seller_id = page.seller_id and waiting.page_id = page.id
    where page.id = any(${uuidList(ids)})`.execute(tx)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

interface PageCount {
  id: string
  added: number
  status: ChargePageStatus
}

type Counted = Pick<ChangedRow<"charge_pages">, "id" | "status"> & { added: number }

const countedPages = rowsOf<PageCount, Counted>("counted", {
  id: uuid(({ id }) => id),
  added: integer(({ added }) => added),
  status: text(({ status }) => status),
})

/** Adds, because earlier payments of the page may still be folded. */
export async function addPaymentCounts(tx: Tx, counts: PageCount[], now: Date): Promise<void> {
  if (counts.length === 0) return
  await prepared("add-payment-counts")`
    update charge_pages page
    set payments_count = page.payments_count + counted.added, status = counted.status, updated_at = ${now}
    from ${countedPages.of(counts)}
    where ${lookup("page.id", "counted.id")}`.execute(tx)
}

/** The bookings that are under way end first, others wait. */
export async function startCountingAtOnce(tx: Tx, { id, sellerId }: { id: string; sellerId: string }): Promise<void> {
  await sql`select count_page_at_once(${id}, ${sellerId})`.execute(tx)
}

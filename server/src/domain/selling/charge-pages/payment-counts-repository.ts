import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import { prepared } from "#db/prepared"
import type { ChangedRow } from "#db/row-types"
import { integer, rowsOf, text, textList, uuid } from "#db/rows-of"
import { lookup } from "#db/sql-part"
import type { Tx } from "#db/transaction"
import type { ChargePage } from "./charge-page.ts"

export type CountedPage = Pick<ChargePage, "id" | "status" | "maxPayments" | "paymentsCount">

/** A page with the number of its charges that a batch pays. */
export type PageOfPayments = CountedPage & { comingCount: number }

/**
 * Locks in the order of ids, like every writer. Includes deleted pages: their payments are still money. A charge's page
 * never changes, so finding it needs no lock.
 */
export async function lockPagesOfTxids(tx: Tx, txids: string[]): Promise<PageOfPayments[]> {
  const { rows } = await prepared<PageOfPayments>("lock-pages-of-txids")`
    select page.id, page.status, page.max_payments as "maxPayments", page.payments_count as "paymentsCount",
      counted.coming_count as "comingCount"
    from (
      select page_id, count(*) as coming_count from charges where txid = any(${textList(txids)})
      group by page_id
    ) counted
    join charge_pages page on ${lookup("page.id", "counted.page_id")}
    order by page.id::text for update of page`.execute(tx)
  return rows
}

interface PageCount {
  id: string
  paymentsCount: number
  status: ChargePageStatus
}

type Counted = Pick<ChangedRow<"charge_pages">, "id" | "payments_count" | "status">

const countedPages = rowsOf<PageCount, Counted>("counted", {
  id: uuid(({ id }) => id),
  payments_count: integer(({ paymentsCount }) => paymentsCount),
  status: text(({ status }) => status),
})

export async function updatePaymentCounts(tx: Tx, counts: PageCount[], now: Date): Promise<void> {
  if (counts.length === 0) return
  await prepared("update-payment-counts")`
    update charge_pages page
    set payments_count = counted.payments_count, status = counted.status, updated_at = ${now}
    from ${countedPages.of(counts)}
    where ${lookup("page.id", "counted.id")}`.execute(tx)
}

import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import { type RawBuilder, type SqlBool, sql } from "kysely"
import { holdsText } from "#db/holds-text"
import type { ListRange } from "#db/list-range"
import type { Db } from "#db/transaction"
import type { ChargePage } from "./charge-page.ts"
import { pageHolds, toChargePage } from "./charge-pages-repository.ts"
import { chargePagesFound } from "./found-charge-pages-repository.ts"
import { orderOf, pagesWithReference } from "./orders-repository.ts"

export interface AllChargePagesFilter {
  status?: ChargePageStatus | undefined
  search?: string | undefined
}

export interface ChargePageOfSeller extends ChargePage {
  seller: { id: string; name: string; email: string }
}

type PageRow = Parameters<typeof toChargePage>[0] & { seller_name: string; seller_email: string }

/** A union, so that each part uses its own index. */
function found(search: string): RawBuilder<SqlBool> {
  return sql`page.id in (
    select id from charge_pages where ${pageHolds(search)}
    union all
    ${pagesWithReference(search)}
    union all
    select offered.id from charge_pages offered
    where offered.seller_id in (select seller.id from users seller where ${holdsText(["seller.name", "seller.email"], search)})
  )`
}

function conditions({ status, search }: AllChargePagesFilter): RawBuilder<SqlBool> {
  const parts: RawBuilder<SqlBool>[] = [sql`page.deleted_at is null`]
  if (status !== undefined) parts.push(sql`page.status = ${status}`)
  if (search) parts.push(found(search))
  return sql.join(parts, sql` and `)
}

/** Pages of all sellers, newest first. */
export async function listAllChargePageRows(
  db: Db,
  { status, search }: AllChargePagesFilter,
  range: ListRange,
): Promise<ChargePageOfSeller[]> {
  return readRows(db, chargePagesFound({ ...range, status, holds: search ? found(search) : undefined }))
}

/** Deleted pages are hidden from admins too. */
export async function findAnyChargePageRow(db: Db, id: string): Promise<ChargePageOfSeller | null> {
  const [page] = await readRows(db, sql`select * from charge_pages where id = ${id} and deleted_at is null`)
  return page ?? null
}

async function readRows(db: Db, pages: RawBuilder<unknown>): Promise<ChargePageOfSeller[]> {
  const { rows } = await sql<PageRow>`
    with waiting as materialized (select page_id, count from page_payments), found as materialized (
      select page.*, seller.name as seller_name, seller.email as seller_email
      from (${pages}) page join users seller on seller.id = page.seller_id
    )
    select found.*, coalesce((select count from waiting where page_id = found.id), 0) as uncounted,
      ${orderOf("found")} as "order"
    from found order by created_at desc, id desc`.execute(db)
  return rows.map((row) => ({
    ...toChargePage(row),
    seller: { id: row.seller_id, name: row.seller_name, email: row.seller_email },
  }))
}

/** Scans rows, for searches, which no total covers. */
export async function countAllFoundChargePages(
  db: Db,
  filter: AllChargePagesFilter,
): Promise<Map<ChargePageStatus, number>> {
  const { rows } = await sql<{ status: ChargePageStatus; count: number }>`
    select page.status, count(*) as count from charge_pages page join users seller on seller.id = page.seller_id
    where ${conditions(filter)} group by page.status`.execute(db)
  return new Map(rows.map(({ status, count }) => [status, count]))
}

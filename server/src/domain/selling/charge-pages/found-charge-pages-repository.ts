import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import { type RawBuilder, type SqlBool, sql } from "kysely"
import { comesAfter, type ListRange } from "#db/list-range"
import { type Days, momentWithin } from "#db/sao-paulo-days"
import { lookup } from "#db/sql-part"

interface FoundPages extends ListRange, Days {
  /** Without a seller the list covers the whole platform. */
  sellerId?: string | undefined
  status?: ChargePageStatus | undefined
  /** Both kinds when absent. */
  isSingle?: boolean | undefined
  /** A search, true for a `page` that it finds. */
  holds?: RawBuilder<SqlBool> | undefined
}

/**
 * No index names a status that a payment changes (ADR 27). Pages are completed by payments, as most are that sell
 * something, so a walk through the list's own index soon fills a part of the list.
 */
const ofStatus: Record<ChargePageStatus, RawBuilder<SqlBool>> = {
  active: sql`page.status = 'active'`,
  completed: sql`page.status = 'completed'`,
  expired: sql`page.ended_as = 'expired'`,
  cancelled: sql`page.ended_as = 'cancelled'`,
}

/** Active ones may be rare, so each is looked up, in the order of the narrow table. */
const activePages = sql`
  (select page_id as id, seller_id, created_at from active_charge_pages) listed
  cross join lateral (select * from charge_pages where ${lookup("charge_pages.id", "listed.id")} offset 0) page`

/** Whole rows of a part of the list, newest first, without deleted ones. Who joins them repeats the `order by`. */
export function chargePagesFound({ limit, offset, ...filter }: FoundPages): RawBuilder<unknown> {
  const isNarrow = filter.status === "active" && filter.holds === undefined
  const listed = isNarrow ? "listed" : "page"
  return sql`
    select page.* from ${isNarrow ? activePages : sql`charge_pages page`} where ${conditions(filter, listed)}
    order by ${sql.ref(`${listed}.created_at`)} desc, ${sql.ref(`${listed}.id`)} desc limit ${limit} offset ${offset}`
}

/** `listed` names the table whose index has the list's order. */
function conditions(
  { sellerId, status, isSingle, holds, after, ...days }: Omit<FoundPages, "limit" | "offset">,
  listed: "page" | "listed",
): RawBuilder<SqlBool> {
  const parts = [sql<SqlBool>`page.deleted_at is null`, ...momentWithin(`${listed}.created_at`, days)]
  if (sellerId !== undefined) parts.push(sql`${sql.ref(`${listed}.seller_id`)} = ${sellerId}`)
  if (status !== undefined) parts.push(ofStatus[status])
  if (isSingle !== undefined) parts.push(isSingle ? sql`page.is_single` : sql`not page.is_single`)
  if (holds !== undefined) parts.push(holds)
  if (after !== undefined) parts.push(comesAfter("charge_pages", listed, after))
  return sql.join(parts, sql` and `)
}

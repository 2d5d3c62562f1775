import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import type { Db } from "#db/transaction"
import type { Day } from "#kit/sao-paulo-day"

export interface DaySummary {
  sellerId: string
  count: number
  grossCents: Cents
  feeCents: Cents
  netCents: Cents
}

interface Wish {
  day: Day
  /** The last seller of the page before; null for the first page. */
  after: string | null
  limit: number
}

/** By key over the sellers who chose a daily mail, also those without a payment on that day. */
export async function findSummaries(db: Db, { day, after, limit }: Wish): Promise<DaySummary[]> {
  const { rows } = await sql<DaySummary>`
    select seller.id as "sellerId", paid.*
    from (
      select id from users
      where payment_mails = 'daily' and active and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit ${limit}
    ) seller
    cross join lateral (
      select coalesce(sum(count), 0)::bigint as count, coalesce(sum(gross_cents), 0)::bigint as "grossCents",
        coalesce(sum(fee_cents), 0)::bigint as "feeCents", coalesce(sum(net_cents), 0)::bigint as "netCents"
      from paid_day_parts where seller_id = seller.id and day = ${day}
    ) paid
    order by seller.id`.execute(db)
  return rows
}

import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawal-status"
import { sql } from "kysely"
import { foldedPattern } from "#db/holds-text"
import type { SearchFor } from "#db/search-for"
import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"

export interface WithdrawalHit {
  id: string
  amountCents: Cents
  status: WithdrawalStatus
  createdAt: Date
  sellerName: string
}

interface Row {
  id: string
  amount_cents: Cents
  status: WithdrawalStatus
  created_at: Date
  seller_name: string
}

/** Matches an exact identifier, the Pix key, or sellers that the words find. */
export async function findWithdrawalsWithText(
  db: Db,
  { words, atMost }: SearchFor,
  sellerIds: readonly string[],
): Promise<WithdrawalHit[]> {
  const byId = isId(words) ? sql`select ${words}::uuid union all` : sql``
  const newest = sql`order by created_at desc, id desc limit ${atMost}`
  const { rows } = await sql<Row>`
    select withdrawal.id, withdrawal.amount_cents, withdrawal.status, withdrawal.created_at,
      seller.name as seller_name
    from withdrawals withdrawal join users seller on seller.id = withdrawal.seller_id
    where withdrawal.id in (
      ${byId} select id from withdrawals where end_to_end_id = ${words}
      union all (select id from withdrawals where search_text like ${foldedPattern(words)} ${newest})
      union all select latest.id from unnest(${sellerIds}::uuid[]) known (id)
        cross join lateral (select id from withdrawals where seller_id = known.id ${newest}) latest
    )
    order by withdrawal.created_at desc, withdrawal.id desc limit ${atMost}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    amountCents: row.amount_cents,
    status: row.status,
    createdAt: row.created_at,
    sellerName: row.seller_name,
  }))
}

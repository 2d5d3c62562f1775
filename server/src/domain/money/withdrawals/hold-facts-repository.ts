import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import { prepared } from "#db/prepared"
import { uuidList } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { Day } from "#kit/sao-paulo-day"
import type { Leaving } from "./hold-withdrawals.ts"

/** By seller, those that leave after this moment. */
export async function findLeaving(tx: Tx, sellerIds: readonly string[], since: Date): Promise<Map<string, Leaving[]>> {
  const { rows } = await prepared<Leaving & { sellerId: string }>("leaving-withdrawals")`
    select asked.seller_id as "sellerId", leaving.at, leaving.amount_cents as "amountCents"
    from unnest(${uuidList(sellerIds)}) as asked (seller_id)
    cross join lateral (
      select coalesce(held_until, created_at) as at, amount_cents from withdrawals
      where seller_id = asked.seller_id and coalesce(held_until, created_at) > ${since}
        and status in ('pending', 'approved', 'processing', 'completed')
    ) leaving`.execute(tx)
  return Map.groupBy(rows, ({ sellerId }) => sellerId)
}

/** Serialises those that count against the limit of the whole platform. */
export async function lockPlatformLimit(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('platform-withdrawal-limit', 0))`.execute(tx)
}

interface HeldSum {
  /** São Paulo's, on which the hold ends. */
  day: Day
  /** Requested since the moment that was asked for. */
  isOfToday: boolean
  cents: Cents
}

/** Sums of those whose hold ends after this moment. */
export async function sumHeldSince(db: Db, since: Date): Promise<HeldSum[]> {
  const { rows } = await prepared<HeldSum>("held-withdrawal-sums")`
    select sao_paulo_day(held_until)::text as day, created_at >= ${since} as "isOfToday",
      sum(amount_cents)::bigint as cents
    from withdrawals
    where held_until >= ${since} and status in ('pending', 'approved', 'processing', 'completed')
    group by 1, 2`.execute(db)
  return rows
}

import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import type { Db } from "#db/transaction"

interface AccountSum {
  account: string
  balanceCents: Cents
}

/**
 * Balances at the end of a São Paulo day; of today, those of now. Reads each account's last row, and the movements of the last
 * seconds, which are placed as enter_statements_below() will place them.
 */
export async function readAccountSums(
  db: Db,
  lastDay: string,
  accounts: readonly string[] | null,
): Promise<AccountSum[]> {
  const { rows } = await sql<AccountSum>`
    with recursive name (account) as (
      (select account from account_days order by account limit 1)
      union all
      select (select later.account from account_days later where later.account > name.account order by 1 limit 1)
      from name where name.account is not null
    ), mark as materialized (
      select below, closed_until from entered_statements
    ), moved as materialized (
      select * from balance_movements where xid >= (select below from mark) and xid <= '9223372036854775807'
    ), seller as materialized (
      select of.seller_id, last.at, coalesce(last.balance_cents, 0) as balance_cents
      from (select distinct seller_id from moved) of
      left join lateral (
        select at, balance_cents from statement_lines line
        where line.seller_id = of.seller_id order by line.at desc, line.number desc limit 1
      ) last on true
    ), placed as (
      select seller_id, seller.balance_cents, moved.amount_cents - moved.fee_cents as change_cents,
        greatest((select closed_until from mark), seller.at, max(moved.at) over place) as at
      from moved join seller using (seller_id)
      window place as (partition by seller_id order by moved.xid, moved.at, moved.place, moved.reference)
    )
    select account, sum(cents)::bigint as "balanceCents"
    from (
      select wanted.account, last.balance_cents as cents
      from ${accounts === null ? sql`name` : sql`unnest(${[...accounts]}::text[])`} wanted (account)
      cross join lateral (
        select balance_cents from account_days
        where account_days.account = wanted.account and day <= ${lastDay}::date order by day desc limit 1
      ) last
      union all
      select account, change_cents from account_movements
      where xid >= (select below from mark) and xid <= '9223372036854775807'
        and sao_paulo_day(greatest((select closed_until from mark), at)) <= ${lastDay}::date
      union all
      select 'seller-debt', least(balance_cents + sum(change_cents), 0) - least(balance_cents, 0)
      from placed where sao_paulo_day(at) <= ${lastDay}::date group by seller_id, balance_cents
    ) part
    where ${accounts === null ? sql`true` : sql`account = any(${[...accounts]}::text[])`}
    group by account order by account`.execute(db)
  return rows
}

export interface AccountDay {
  day: string
  creditsCents: Cents
  debitsCents: Cents
}

interface Wish {
  account: string
  before: string | null
  limit: number
}

interface AccountDays {
  days: AccountDay[]
  /** At the end of the newest of them; without days, at the end of the last one before `before`. */
  balanceCents: Cents
}

/** Newest first. What sellers come to owe is credited to what they have, whose balance is shown without it. */
export async function readAccountDays(db: Db, { account, before, limit }: Wish): Promise<AccountDays> {
  const owed = account === "seller-available" ? "seller-debt" : null
  const daysOf = (name: string | null) => sql`
    select day, credits_cents, debits_cents, balance_cents from account_days
    where account = ${name}::text and day < ${before ?? "infinity"}::date order by day desc limit ${limit}`
  const { rows } = await sql<AccountDay & { balanceCents: Cents }>`
    with own as materialized (${daysOf(account)}), owed as materialized (${daysOf(owed)})
    select
      to_char(day, 'YYYY-MM-DD') as day, sum(credits)::bigint as "creditsCents", sum(debits)::bigint as "debitsCents",
      coalesce((select balance_cents from own order by own.day desc limit 1), 0)
        - coalesce((select balance_cents from owed order by owed.day desc limit 1), 0) as "balanceCents"
    from (
      select day, credits_cents as credits, debits_cents as debits from own
      union all
      select day, debits_cents, credits_cents from owed
    ) moved
    group by moved.day order by moved.day desc limit ${limit}`.execute(db)
  const days = rows.map(({ day, creditsCents, debitsCents }) => ({ day, creditsCents, debitsCents }))
  return { days, balanceCents: rows[0]?.balanceCents ?? noMoney }
}

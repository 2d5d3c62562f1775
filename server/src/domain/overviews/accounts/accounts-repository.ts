import { sql } from "kysely"
import type { Db } from "#db/transaction"
import { type Cents, noMoney } from "#kit/money"

interface AccountSum {
  account: string
  balanceCents: Cents
}

/** Balances at the end of a São Paulo day; of today, those of now. Adds up days, and the movements of the last seconds. */
export async function readAccountSums(db: Db, lastDay: string): Promise<AccountSum[]> {
  const { rows } = await sql<AccountSum>`
    select account, sum(change_cents)::bigint as "balanceCents"
    from (
      select account, credits_cents - debits_cents as change_cents from account_days where day <= ${lastDay}::date
      union all
      select account, change_cents from account_movements
      where xid >= (select below from entered_statements) and xid <= '9223372036854775807'
        and sao_paulo_day(greatest((select closed_until from entered_statements), at)) <= ${lastDay}::date
    ) part
    group by account order by account`.execute(db)
  return rows
}

/** The balance of one account now, and at the end of a day; only that account's days are read. */
export async function readAccountBalances(
  db: Db,
  account: string,
  lastDay: string | null,
): Promise<{ nowCents: Cents; thenCents: Cents }> {
  const { rows } = await sql<{ nowCents: Cents; thenCents: Cents }>`
    select coalesce(sum(change_cents), 0)::bigint as "nowCents",
      coalesce(sum(change_cents) filter (where day <= ${lastDay}::date), 0)::bigint as "thenCents"
    from (
      select day, credits_cents - debits_cents as change_cents from account_days where account = ${account}
      union all
      select sao_paulo_day(greatest((select closed_until from entered_statements), at)), change_cents
      from account_movements
      where xid >= (select below from entered_statements) and xid <= '9223372036854775807' and account = ${account}
    ) part`.execute(db)
  const [found] = rows
  return found ?? { nowCents: noMoney, thenCents: noMoney }
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

/** Newest first. */
export async function readAccountDays(db: Db, { account, before, limit }: Wish): Promise<AccountDay[]> {
  const { rows } = await sql<AccountDay>`
    select to_char(day, 'YYYY-MM-DD') as day, credits_cents as "creditsCents", debits_cents as "debitsCents"
    from account_days
    where account = ${account} and day < ${before ?? "infinity"}::date
    order by day desc limit ${limit}`.execute(db)
  return rows
}

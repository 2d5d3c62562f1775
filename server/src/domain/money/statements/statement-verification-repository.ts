import { sql } from "kysely"
import type { Db } from "#db/transaction"

interface Difference {
  what: string
  expected: string
  found: string
}

/** Each line follows from the one above it, and the last one, with what is not entered yet, is the balance. */
export async function compareStatements(db: Db): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    with line as (
      select seller_id, number, at, amount_cents, fee_cents, balance_cents,
        coalesce(lag(balance_cents) over place, 0) + amount_cents - fee_cents as follows,
        coalesce(lag(number) over place, 0) + 1 as next_number, lead(number) over place is null as is_last
      from statement_lines window place as (partition by seller_id order by at, number)
    ), entered as (
      select 'seller-available:' || seller_id as id, balance_cents from line where is_last
    ), waiting as (
      select 'seller-available:' || seller_id as id, sum(amount_cents - fee_cents) as cents
      from balance_movements where xid >= (select below from entered_statements) group by seller_id
    )
    select 'lançamento ' || number || ' do extrato de ' || seller_id || ', número e saldo em centavos' as what,
      next_number || ' / ' || follows as expected, number || ' / ' || balance_cents as found
    from line where balance_cents <> follows or number <> next_number
    union all
    select 'saldo no extrato de ' || account.id || ', em centavos', account.balance_cents::text,
      (coalesce(entered.balance_cents, 0) + coalesce(waiting.cents, 0))::text
    from ledger_accounts account
    left join entered on entered.id = account.id
    left join waiting on waiting.id = account.id
    where account.kind = 'seller-available'
      and account.balance_cents <> coalesce(entered.balance_cents, 0) + coalesce(waiting.cents, 0)
    union all
    select 'dias da conta ' || coalesce(kept.account, booked.account) || ', em centavos',
      coalesce(booked.cents, 0)::text, coalesce(kept.cents, 0)::text
    from (
      select account, sum(cents) as cents
      from (
        select account, credits_cents - debits_cents as cents from account_days where account <> 'seller-debt'
        union all
        select account, change_cents from account_movements where xid >= (select below from entered_statements)
      ) part group by account
    ) kept
    full join (
      select case when seller_id is null then id else kind end as account, sum(balance_cents) as cents
      from ledger_accounts group by 1
    ) booked on booked.account = kept.account
    where coalesce(kept.cents, 0) <> coalesce(booked.cents, 0)
    union all
    select 'saldo da conta ' || account || ' no fim de ' || day || ', em centavos', sum::text, balance_cents::text
    from (
      select account, day, balance_cents, sum(credits_cents - debits_cents) over (partition by account order by day)
      from account_days
    ) of_day
    where balance_cents <> sum
    union all
    select 'dívidas de vendedores nos dias das contas, em centavos', lines.cents::text, days.cents::text
    from (select coalesce(sum(least(balance_cents, 0)), 0) as cents from line where is_last) lines
    cross join (
      select coalesce(sum(credits_cents - debits_cents), 0) as cents from account_days where account = 'seller-debt'
    ) days
    where lines.cents <> days.cents
    union all
    select 'lançamentos nos extratos', movements.count::text, lines.count::text
    from (select count(*) from balance_movements where xid < (select below from entered_statements)) movements
    cross join (select count(*) from statement_lines) lines
    where movements.count <> lines.count`.execute(db)
  return rows
}

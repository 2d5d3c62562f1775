import {
  heldWithdrawalStatuses,
  returnedWithdrawalStatuses,
  sentWithdrawalStatuses,
} from "@tilinta/contract/vocabulary/withdrawal-status"
import { type RawBuilder, sql } from "kysely"
import { wordList } from "#db/sql-part"
import type { Db } from "#db/transaction"
import { postingName } from "#ledger/posting-name"

export interface WithdrawalDifference {
  what: string
  expected: string
  found: string
}

/** One statement per check and thus one snapshot each, consistent even next to a running server. */
const checks: RawBuilder<WithdrawalDifference>[] = [
  sql`select 'conta ' || coalesce(account.id, real.id) || ', em centavos' as what,
      coalesce(real.amount, 0)::text as expected, coalesce(account.balance_cents, 0)::text as found
    from (select id, balance_cents from ledger_accounts where kind in ('seller-held', 'payouts-under-way')) account
    full join (
      select case when status = 'processing' then 'payouts-under-way:' || provider else 'seller-held:' || seller_id end
        as id, sum(amount_cents) as amount
      from withdrawals where status in ${wordList(heldWithdrawalStatuses)} group by 1
    ) real on real.id = account.id
    where coalesce(real.amount, 0) <> coalesce(account.balance_cents, 0)`,
  sql`select 'lançamentos do saque ' || withdrawal.id || ' (' || withdrawal.status || '), em centavos' as what,
      wanted.kind || ' ' || wanted.amount as expected,
      wanted.kind || ' ' || coalesce(booked.amount, 0) as found
    from withdrawals withdrawal
    cross join lateral (values
      ('withdrawal', withdrawal.amount_cents),
      ('withdrawal-returned',
        case
          when withdrawal.paid_after_refusal_at is not null
            or (withdrawal.status in ${wordList(returnedWithdrawalStatuses)} and withdrawal.returned_cents = 0)
          then withdrawal.amount_cents else 0 end),
      ('payout', case
        when withdrawal.attempts > 0
          and (withdrawal.status in ${wordList(sentWithdrawalStatuses)} or withdrawal.failure_reason is not null
            or withdrawal.returned_cents > 0)
        then withdrawal.amount_cents else 0 end),
      ('payout-completed', case
        when withdrawal.status = 'completed' or withdrawal.returned_cents > 0
        then withdrawal.amount_cents else 0 end)
    ) wanted (kind, amount)
    left join lateral (
      select sum(posting.amount_cents) as amount
      from journal posting
      where posting.kind = wanted.kind and posting.reference = withdrawal.id::text
    ) booked on true
    where coalesce(booked.amount, 0) <> wanted.amount`,
  sql`select 'o que voltou do saque ' || coalesce(withdrawal.id, booked.id) || ', em centavos' as what,
      coalesce(withdrawal.returned_cents, 0)::text as expected, coalesce(booked.amount, 0)::text as found
    from (select id::text as id, returned_cents from withdrawals where returned_cents > 0) withdrawal
    full join (
      select split_part(reference, '/', 1) as id, sum(amount_cents) as amount
      from journal where kind = 'payout-returned' group by 1
    ) booked on booked.id = withdrawal.id
    where coalesce(withdrawal.returned_cents, 0) <> coalesce(booked.amount, 0)`,
  sql`select ${postingName("posting")} as what, 'um saque' as expected, 'nenhum' as found
    from journal posting
    where kind in ('withdrawal', 'withdrawal-returned', 'payout', 'payout-completed', 'payout-returned')
      and not exists (select from withdrawals where id::text = split_part(posting.reference, '/', 1))`,
  sql`select 'total ' || coalesce(kept.status, real.status) || ' de saques do vendedor '
        || coalesce(kept.seller_id, real.seller_id) as what,
      coalesce(real.count, 0) || ' / ' || coalesce(real.amount, 0) as expected,
      coalesce(kept.count, 0) || ' / ' || coalesce(kept.amount_cents, 0) as found
    from withdrawal_totals kept
    full join (
      select seller_id, status, count(*) as count, sum(amount_cents) as amount
      from withdrawals group by seller_id, status
    ) real on real.seller_id = kept.seller_id and real.status = kept.status
    where coalesce(kept.count, 0) <> coalesce(real.count, 0)
      or coalesce(kept.amount_cents, 0) <> coalesce(real.amount, 0)`,
]

export async function findWithdrawalDifferences(db: Db): Promise<WithdrawalDifference[]> {
  const results = await Promise.all(checks.map((check) => check.execute(db)))
  return results.flatMap(({ rows }) => rows)
}

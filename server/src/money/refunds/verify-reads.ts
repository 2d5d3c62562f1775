import { liveRefundStatuses, paidStatuses } from "@tilinta/contract/vocabulary/transactions"
import { returnedWithdrawalStatuses } from "@tilinta/contract/vocabulary/withdrawals"
import { type RawBuilder, sql } from "kysely"
import { wordList } from "#db/prepared"
import type { Db } from "#db/transaction"
import { postingName } from "#ledger/post-transactions"

interface RefundDifference {
  what: string
  expected: string
  found: string
}

/** One statement per check and thus one snapshot each, consistent even next to a running server. */
const checks: RawBuilder<RefundDifference>[] = [
  sql`select 'lançamentos do estorno ' || refund.id || ' (' || refund.status || '), em centavos' as what,
      wanted.kind || ' ' || wanted.amount as expected,
      wanted.kind || ' ' || coalesce(booked.amount, 0) as found
    from refunds refund
    cross join lateral (values
      ('refund', case when refund.origin = 'bank' then 0 else refund.amount_cents end),
      ('refund-completed', case
        when refund.origin <> 'bank' and refund.status = 'completed' and refund.failure_reason is null
        then refund.amount_cents else 0 end),
      ('refund-returned', case when refund.failure_reason is null then 0 else refund.amount_cents end),
      ('refund-by-bank', case
        when refund.origin = 'bank' or (refund.status = 'completed' and refund.failure_reason is not null)
        then refund.amount_cents else 0 end)
    ) wanted (kind, amount)
    left join lateral (
      select sum(posting.amount_cents) as amount
      from journal posting
      where posting.kind = wanted.kind and posting.reference = refund.id::text
    ) booked on true
    where coalesce(booked.amount, 0) <> wanted.amount`,
  sql`select ${postingName("posting")} as what, 'um estorno' as expected, 'nenhum' as found
    from journal posting
    where kind in ('refund', 'refund-completed', 'refund-returned', 'refund-by-bank')
      and not exists (select from refunds where id::text = posting.reference)`,
  sql`select 'conta ' || coalesce(account.id, real.id) || ', em centavos' as what,
      coalesce(real.amount, 0)::text as expected, coalesce(account.balance_cents, 0)::text as found
    from (select id, balance_cents from ledger_accounts where kind = 'refunds-under-way') account
    full join (
      select 'refunds-under-way:' || provider as id, sum(amount_cents) as amount
      from refunds where status = 'processing' group by 1
    ) real on real.id = account.id
    where coalesce(real.amount, 0) <> coalesce(account.balance_cents, 0)`,
  sql`select 'estornado da cobrança ' || charge.id || ' (valor / taxa), em centavos' as what,
      coalesce(real.amount, 0) || ' / ' || coalesce(real.fee, 0) as expected,
      charge.refunded_cents || ' / ' || charge.refunded_fee_cents as found
    from charges charge
    left join (
      select charge_id, sum(amount_cents) as amount, sum(fee_cents) as fee
      from refunds where status = 'completed' and charge_id is not null group by charge_id
    ) real on real.charge_id = charge.id
    where charge.refunded_cents <> coalesce(real.amount, 0) or charge.refunded_fee_cents <> coalesce(real.fee, 0)`,
  sql`select 'situação da cobrança ' || charge.id || ', com ' || charge.refunded_cents || ' centavos estornados' as what,
      case when charge.refunded_cents = charge.amount_cents then 'refunded' else 'outra' end as expected,
      charge.status as found
    from charges charge
    where (charge.refunded_cents = charge.amount_cents) <> (charge.status = 'refunded')`,
  sql`select 'conta ' || coalesce(account.id, real.id) || ', em centavos' as what,
      coalesce(real.amount, 0)::text as expected, coalesce(account.balance_cents, 0)::text as found
    from (select id, balance_cents from ledger_accounts where kind = 'suspense') account
    full join (
      select 'suspense:' || payment.provider as id, sum(payment.amount_cents - coalesce(refunded.amount, 0)) as amount
      from payments payment
      join unmatched_payments unmatched on unmatched.end_to_end_id = payment.end_to_end_id
      left join (
        select end_to_end_id, sum(amount_cents) as amount
        from refunds where charge_id is null and status in ${wordList(liveRefundStatuses)} group by end_to_end_id
      ) refunded on refunded.end_to_end_id = payment.end_to_end_id
      where payment.disposition = 'suspense' and unmatched.accepted_charge_id is null
      group by payment.provider
    ) real on real.id = account.id
    where coalesce(real.amount, 0) <> coalesce(account.balance_cents, 0)`,
  sql`select 'saldo do vendedor ' || coalesce(account.seller_id, real.seller_id)
        || ', com o que está a receber: líquido do que foi pago, menos estornos, saques e o bloqueado, em centavos' as what,
      coalesce(real.amount, 0)::text as expected, coalesce(account.balance_cents, 0)::text as found
    from (
      select seller_id, sum(balance_cents)::bigint as balance_cents
      from ledger_accounts where kind in ('seller-available', 'seller-reserved') group by seller_id
    ) account
    full join (
      select moved.seller_id, sum(moved.amount) as amount
      from (
        select seller_id, net_cents as amount from charges where status in ${wordList(paidStatuses)}
        union all
        select seller_id, fee_cents - amount_cents from refunds
          where charge_id is not null and status in ${wordList(liveRefundStatuses)}
        union all
        select seller_id, returned_cents - amount_cents from withdrawals
          where status not in ${wordList(returnedWithdrawalStatuses)}
        union all
        select seller_id, -blocked_cents from disputes where blocked_cents > 0
        union all
        select seller_id, case direction when 'credit' then amount_cents else -amount_cents end
          from manual_entries where kind = 'correction' and booked_at is not null
      ) moved
      group by moved.seller_id
    ) real on real.seller_id = account.seller_id
    where coalesce(real.amount, 0) <> coalesce(account.balance_cents, 0)`,
  sql`select 'conta ' || coalesce(account.id, real.id) || ', em centavos' as what,
      coalesce(real.amount, 0)::text as expected, coalesce(account.balance_cents, 0)::text as found
    from (select id, balance_cents from ledger_accounts where kind = 'fee-revenue') account
    full join (
      select 'fee-revenue' as id, sum(moved.amount) as amount
      from (
        select fee_cents as amount from charges where status in ${wordList(paidStatuses)}
        union all
        select -fee_cents from refunds where charge_id is not null and status in ${wordList(liveRefundStatuses)}
        union all
        select -amount_cents from manual_entries where kind = 'own_payout' and booked_at is not null
      ) moved
    ) real on real.id = account.id
    where coalesce(real.amount, 0) <> coalesce(account.balance_cents, 0)`,
  sql`select 'conta ' || coalesce(account.id, real.id) || ', em centavos' as what,
      coalesce(real.amount, 0)::text as expected, coalesce(account.balance_cents, 0)::text as found
    from (select id, balance_cents from ledger_accounts where kind = 'psp-clearing') account
    full join (
      select 'psp-clearing:' || coalesce(moved.provider, 'sem provedor') as id, sum(moved.amount) as amount
      from (
        select provider, -amount_cents as amount from payments
        union all
        select provider, amount_cents from refunds where status = 'completed'
        union all
        select provider, amount_cents - returned_cents from withdrawals
          where status = 'completed' or returned_cents > 0
        union all
        select provider, case when kind in ('own_payout', 'bank_tariff') then amount_cents else -amount_cents end
          from manual_entries where booked_at is not null and kind <> 'correction'
      ) moved
      group by moved.provider
    ) real on real.id = account.id
    where coalesce(real.amount, 0) <> coalesce(account.balance_cents, 0)`,
  sql`select 'conferência do pagamento ' || coalesce(unmatched.end_to_end_id, wanted.end_to_end_id) as what,
      coalesce(wanted.reason, 'nenhuma') as expected, coalesce(unmatched.reason, 'nenhuma') as found
    from unmatched_payments unmatched
    full join (
      select payment.end_to_end_id,
        coalesce(payment.reason, case when charge.is_duplicate then 'duplicate' else 'late' end) as reason
      from payments payment left join charges charge on charge.id = payment.charge_id
      where payment.disposition = 'suspense' or charge.is_duplicate or charge.is_late
    ) wanted on wanted.end_to_end_id = unmatched.end_to_end_id
    where unmatched.reason is distinct from wanted.reason`,
  sql`select 'situação da conferência ' || unmatched.id as what,
      'returning com estorno em andamento, e vice-versa' as expected,
      unmatched.status || ' / ' || coalesce(refund.status, 'nenhum') as found
    from unmatched_payments unmatched left join refunds refund on refund.id = unmatched.refund_id
    where (unmatched.status = 'returning') <> coalesce(refund.status = 'processing', false)
      and unmatched.status <> 'returned'`,
]

export async function findRefundDifferences(db: Db): Promise<RefundDifference[]> {
  const results = await Promise.all(checks.map((check) => check.execute(db)))
  return results.flatMap(({ rows }) => rows)
}

import { payablePageStatuses } from "@tilinta/contract/vocabulary/charge-pages"
import { openChargeStatuses, paidStatuses } from "@tilinta/contract/vocabulary/transactions"
import { type RawBuilder, sql } from "kysely"
import { wordList } from "#db/prepared"
import type { Db } from "#db/transaction"
import { postingName } from "#ledger/post-transactions"

interface PaymentDifference {
  what: string
  expected: string
  found: string
}

/** Each check returns one row per contradiction. */
const checks: RawBuilder<PaymentDifference>[] = [
  sql`select case when payment.end_to_end_id <> charge.end_to_end_id
        then 'payments end_to_end_id=' || payment.end_to_end_id || ', também ' else '' end
        || 'pagamento da cobrança ' || charge.id || ' (vendedor / valor / taxa / endToEndId)' as what,
      concat_ws(' / ', charge.seller_id, charge.amount_cents, charge.fee_cents, charge.end_to_end_id) as expected,
      coalesce(nullif(concat_ws(' / ', payment.seller_id, payment.amount_cents, payment.fee_cents, payment.end_to_end_id),
        ''), 'nenhum') as found
    from charges charge
    left join payments payment on payment.charge_id = charge.id and payment.disposition = 'credited'
    where charge.status in ${wordList(paidStatuses)} and charge.txid is not null
      and not exists (select from unmatched_payments where accepted_charge_id = charge.id)
      and (payment.seller_id, payment.amount_cents, payment.fee_cents, payment.end_to_end_id)
        is distinct from (charge.seller_id, charge.amount_cents, charge.fee_cents, charge.end_to_end_id)`,
  sql`select 'pagamento aceito como cobrança ' || charge.id as what, charge.amount_cents::text as expected,
      coalesce(accepted.amount::text, 'nenhum') as found
    from charges charge
    left join lateral (
      select payment.end_to_end_id, payment.amount_cents - coalesce(sum(refund.amount_cents), 0) as amount
      from unmatched_payments unmatched
      join payments payment on payment.end_to_end_id = unmatched.end_to_end_id
      left join refunds refund on refund.end_to_end_id = unmatched.end_to_end_id
        and refund.charge_id is null and refund.status = 'completed'
      where unmatched.accepted_charge_id = charge.id
      group by payment.end_to_end_id
    ) accepted on true
    where (charge.txid is null or accepted.amount is not null)
      and (accepted.amount, accepted.end_to_end_id) is distinct from (charge.amount_cents, charge.end_to_end_id)`,
  sql`select 'payments end_to_end_id=' || payment.end_to_end_id as what,
      'a cobrança ' || payment.charge_id || ' paga' as expected, 'não está paga, ou não existe' as found
    from payments payment
    where payment.disposition = 'credited' and not exists (
      select from charges
      where id = payment.charge_id and status in ${wordList(paidStatuses)} and txid is not null
    )`,
  sql`with accepted as (
      select 'payment-accepted' as kind, unmatched.end_to_end_id as reference, wanted.*
      from unmatched_payments unmatched
      join charges charge on charge.id = unmatched.accepted_charge_id
      cross join lateral (values
        (1, 'suspense:' || charge.provider, 'seller-available:' || charge.seller_id, charge.amount_cents),
        (2, 'seller-available:' || charge.seller_id, 'fee-revenue', charge.fee_cents)
      ) wanted (line, debit_account, credit_account, amount_cents)
      where wanted.amount_cents > 0
    ), posting as (
      select * from journal where kind = 'payment-accepted'
    )
    select coalesce(${postingName("posting")}, 'lançamento ' || line || ' do pagamento aceito ' || reference) as what,
      coalesce(accepted.debit_account || ' / ' || accepted.credit_account || ' / ' || accepted.amount_cents,
        'um pagamento aceito') as expected,
      coalesce(posting.debit_account || ' / ' || posting.credit_account || ' / ' || posting.amount_cents, 'nenhum') as found
    from accepted full join posting using (kind, reference, line)
    where (accepted.debit_account, accepted.credit_account, accepted.amount_cents)
      is distinct from (posting.debit_account, posting.credit_account, posting.amount_cents)`,
  sql`select 'cobrança em aberto ' || coalesce(open.charge_id, charge.id) as what,
      coalesce(charge.status, 'nenhuma') as expected, case when open.charge_id is null then 'ausente' else 'presente' end as found
    from open_charges open
    full join (select * from charges where status in ${wordList(openChargeStatuses)}) charge on charge.id = open.charge_id
    where (open.charge_id, open.seller_id, open.page_id, open.created_at, open.expires_at) is distinct from
      (charge.id, charge.seller_id, charge.page_id, charge.created_at, charge.expires_at)`,
  sql`select 'cobrança por terminar ' || coalesce(unfinished.charge_id, charge.id) as what,
      coalesce(charge.status, 'nenhuma') as expected,
      case when unfinished.charge_id is null then 'ausente' else 'presente' end as found
    from unfinished_charges unfinished
    full join (select * from charges where status = 'creating') charge on charge.id = unfinished.charge_id
    where (unfinished.charge_id, unfinished.created_at) is distinct from (charge.id, charge.created_at)`,
  sql`select 'página ativa ' || coalesce(active.page_id, page.id) as what,
      coalesce(page.status, 'nenhuma') as expected, case when active.page_id is null then 'ausente' else 'presente' end as found
    from active_charge_pages active
    full join (
      select * from charge_pages where status in ${wordList(payablePageStatuses)} and not is_unlisted
    ) page on page.id = active.page_id
    where (active.page_id, active.seller_id, active.created_at, active.expires_at) is distinct from
      (page.id, page.seller_id, page.created_at, page.expires_at)`,
  sql`select 'pagamentos da página ' || coalesce(kept.id, booked.id) as what, coalesce(booked.count, 0)::text as expected,
      coalesce(kept.count, 0)::text as found
    from (
      select page.id, page.payments_count + coalesce(waiting.count, 0) as count
      from charge_pages page
      left join page_payments waiting on waiting.seller_id = page.seller_id and waiting.page_id = page.id
    ) kept
    full join (
      select charge.page_id as id, count(*) as count
      from (
        select charge_id from payments where charge_day is not null
        union all
        select accepted_charge_id from unmatched_payments where accepted_charge_id is not null
      ) paid
      join charges charge on charge.id = paid.charge_id and charge.txid is not null
      group by charge.page_id
    ) booked using (id)
    where coalesce(kept.count, 0) <> coalesce(booked.count, 0)`,
  sql`with real as (
      select 'total' as kept_as, seller_id, null::date as day, status, count(*) as count, sum(amount_cents) as gross,
        sum(fee_cents) as fee, sum(net_cents) as net, sum(refunded_cents) as refunded,
        sum(refunded_fee_cents) as refunded_fee
      from charges where status <> 'creating' group by seller_id, status
      union all
      select 'total do dia', seller_id, sao_paulo_day(created_at), status, count(*), sum(amount_cents),
        sum(fee_cents), sum(net_cents), sum(refunded_cents), sum(refunded_fee_cents)
      from charges where status <> 'creating' group by seller_id, 3, status
      union all
      select 'recebido no dia', seller_id, sao_paulo_day(paid_at), 'paid', count(*), sum(amount_cents),
        sum(fee_cents), sum(net_cents), sum(refunded_cents), sum(refunded_fee_cents)
      from charges where status = 'paid' group by seller_id, 3
    ), kept as (
      select 'total' as kept_as, seller_id, null::date as day, status, count, gross_cents, fee_cents, net_cents,
        refunded_cents, refunded_fee_cents
      from charge_totals
      union all
      select 'total do dia', seller_id, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents,
        refunded_fee_cents
      from charge_day_totals
      union all
      select 'recebido no dia', seller_id, day, 'paid', count, gross_cents, fee_cents, net_cents, refunded_cents,
        refunded_fee_cents
      from paid_day_totals
    ), compared as (
      select concat_ws(' ', kept_as, shown.day, status, 'do vendedor', seller_id) as name,
        concat_ws(' / ', coalesce(real.count, 0), coalesce(real.gross, 0), coalesce(real.fee, 0),
          coalesce(real.net, 0), coalesce(real.refunded, 0), coalesce(real.refunded_fee, 0)) as expected,
        concat_ws(' / ', coalesce(kept.count, 0), coalesce(kept.gross_cents, 0), coalesce(kept.fee_cents, 0),
          coalesce(kept.net_cents, 0), coalesce(kept.refunded_cents, 0),
          coalesce(kept.refunded_fee_cents, 0)) as found
      from (
        select *, coalesce(day, '-infinity') as of_day from kept
      ) kept
      full join (
        select *, coalesce(day, '-infinity') as of_day from real
      ) real using (kept_as, seller_id, of_day, status)
      cross join lateral (select coalesce(kept.day, real.day) as day) shown
    )
    select name as what, expected, found from compared where expected <> found`,
]

export async function findPaymentDifferences(db: Db): Promise<PaymentDifference[]> {
  const results = await Promise.all(checks.map((check) => check.execute(db)))
  return results.flatMap(({ rows }) => rows)
}

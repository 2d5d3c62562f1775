import type { Cents } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, sql } from "kysely"
import type { Db } from "#db/transaction"

interface PlatformDifference {
  what: string
  expected: string
  found: string
}

/** One statement and thus one snapshot, consistent even next to a running server. */
const rowsAgainstTotals: RawBuilder<PlatformDifference> = sql`
  with real as (
    select 'charge-created' as subject, sao_paulo_day(created_at) as day, status, count(*) as count,
      sum(amount_cents) as gross, sum(fee_cents) as fee, sum(net_cents) as net, sum(refunded_cents) as refunded,
      sum(refunded_fee_cents) as refunded_fee
    from charges where status <> 'creating' group by 2, 3
    union all
    select 'charge-paid', sao_paulo_day(paid_at), status, count(*), sum(amount_cents), sum(fee_cents),
      sum(net_cents), sum(refunded_cents), sum(refunded_fee_cents)
    from charges where status = 'paid' group by 2, 3
    union all
    select 'charge-page', sao_paulo_day(created_at), status, count(*), 0, 0, 0, 0, 0
    from charge_pages where deleted_at is null and not is_unlisted group by 2, 3
    union all
    select 'withdrawal', sao_paulo_day(created_at), status, count(*), sum(amount_cents), 0, 0, 0, 0
    from withdrawals group by 2, 3
    union all
    select 'unmatched-payment:' || unmatched.reason, sao_paulo_day(unmatched.received_at), unmatched.status, count(*),
      sum(payment.amount_cents), 0, 0, 0, 0
    from unmatched_payments unmatched join payments payment on payment.end_to_end_id = unmatched.end_to_end_id
    group by 1, 2, 3
  ), compared as (
    select coalesce(kept.subject, real.subject) || ' ' || coalesce(kept.status, real.status) || ' de '
        || coalesce(kept.day, real.day) as name,
      concat_ws(' / ', coalesce(real.count, 0), coalesce(real.gross, 0), coalesce(real.fee, 0),
        coalesce(real.net, 0), coalesce(real.refunded, 0), coalesce(real.refunded_fee, 0)) as expected,
      concat_ws(' / ', coalesce(kept.count, 0), coalesce(kept.gross_cents, 0), coalesce(kept.fee_cents, 0),
        coalesce(kept.net_cents, 0), coalesce(kept.refunded_cents, 0), coalesce(kept.refunded_fee_cents, 0)) as found
    from platform_day_totals kept
    full join real on real.subject = kept.subject and real.day = kept.day and real.status = kept.status
  )
  select 'total da plataforma ' || name as what, expected, found from compared where expected <> found`

/** The days are verified against the rows, and these totals against the days. */
const daysAgainstAllTime: RawBuilder<PlatformDifference> = sql`
  with days as (
    select subject, status, concat_ws(' / ', sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents),
      sum(refunded_cents), sum(refunded_fee_cents)) as sums
    from platform_totals group by subject, status
  ), kept as (
    select subject, status,
      concat_ws(' / ', count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents) as sums
    from platform_status_totals
  )
  select 'total da plataforma ' || subject || ' ' || status as what, coalesce(days.sums, 'nenhum') as expected,
    coalesce(kept.sums, 'nenhum') as found
  from days full join kept using (subject, status) where days.sums is distinct from kept.sums`

const daysAgainstMonths: RawBuilder<PlatformDifference> = sql`
  with days as (
    select seller_id, date_trunc('month', day)::date as month, concat_ws(' / ', sum(count), sum(gross_cents)) as sums
    from kept_paid_day_totals group by 1, 2
  ), kept as (
    select seller_id, month, concat_ws(' / ', count, gross_cents) as sums from seller_month_totals
  )
  select 'recebido no mês de ' || month || ' pelo vendedor ' || seller_id as what,
    coalesce(days.sums, 'nenhum') as expected, coalesce(kept.sums, 'nenhum') as found
  from days full join kept using (seller_id, month) where days.sums is distinct from kept.sums`

/**
 * A charge's search text is its own, as for a charge without a page, or that of its page's wording together with the
 * payer's name.
 */
const unsearchable: RawBuilder<PlatformDifference> = sql`
  select 'texto de busca da cobrança ' || charge.id as what, charge_search_text(charge) as expected,
    coalesce(nullif(concat_ws(' + ', worded.folded, kept.folded), ''), 'nenhum') as found
  from charges charge
  left join charge_search_texts kept on kept.charge_id = charge.id and kept.source = 'charge'
  left join charge_wordings worded
    on worded.page_id = charge.page_id and worded.digest = md5(charge_wording(charge))::uuid
  where kept.folded is distinct from charge_search_text(charge)
    and (worded.folded is distinct from charge_wording(charge) or kept.folded is distinct from fold_text(charge.payer_name))`

const pagesAgainstTotals: RawBuilder<PlatformDifference> = sql`
  select 'páginas do vendedor ' || seller_id || ' ' || status as what, coalesce(real.count, 0)::text as expected,
    coalesce(kept.count, 0)::text as found
  from charge_page_totals kept
  full join (
    select seller_id, status, count(*) as count from charge_pages
    where deleted_at is null and not is_unlisted group by 1, 2
  ) real using (seller_id, status)
  where coalesce(kept.count, 0) <> coalesce(real.count, 0)`

export async function findPlatformDifferences(db: Db): Promise<PlatformDifference[]> {
  const results = await Promise.all([
    rowsAgainstTotals.execute(db),
    daysAgainstAllTime.execute(db),
    daysAgainstMonths.execute(db),
    pagesAgainstTotals.execute(db),
    unsearchable.execute(db),
  ])
  return results.flatMap(({ rows }) => rows)
}

export interface PlatformTotals {
  count: number
  grossCents: Cents
  feeCents: Cents
  netCents: Cents
  refundedCents: Cents
  refundedFeeCents: Cents
}

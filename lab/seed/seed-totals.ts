import type { Session } from "./bulk-session.ts"

const sums = "count(*), sum(amount_cents), sum(fee_cents), sum(net_cents), sum(refunded_cents), sum(refunded_fee_cents)"

/**
 * Totals that the charges' triggers would keep, computed once; `npm run verify` compares them with the rows. Day by day, as
 * folds add them: a seller's days stand on as many pages.
 */
const totals = [
  `insert into kept_charge_totals (seller_id, status, count, gross_cents, fee_cents, net_cents,
     refunded_cents, refunded_fee_cents)
   select seller_id, status, ${sums} from charges group by 1, 2`,
  `insert into kept_charge_day_totals (seller_id, day, status, count, gross_cents, fee_cents, net_cents,
     refunded_cents, refunded_fee_cents)
   select seller_id, sao_paulo_day(created_at), status, ${sums} from charges group by 1, 2, 3 order by 2, 1, 3`,
  `insert into kept_paid_day_totals (seller_id, day, count, gross_cents, fee_cents, net_cents,
     refunded_cents, refunded_fee_cents)
   select seller_id, sao_paulo_day(paid_at), ${sums} from charges where status = 'paid' group by 1, 2 order by 2, 1`,
  `insert into platform_totals (subject, day, status, count, gross_cents, fee_cents, net_cents,
     refunded_cents, refunded_fee_cents)
   select 'charge-created', sao_paulo_day(created_at), status, ${sums} from charges group by 2, 3 order by 2, 3`,
  `insert into platform_totals (subject, day, status, count, gross_cents, fee_cents, net_cents,
     refunded_cents, refunded_fee_cents)
   select 'charge-paid', sao_paulo_day(paid_at), status, ${sums} from charges where status = 'paid' group by 2, 3 order by 2, 3`,
]

export async function seedTotals(session: Session): Promise<void> {
  for (const total of totals) await session.query(total)
}

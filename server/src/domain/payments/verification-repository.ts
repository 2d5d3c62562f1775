import { type RawBuilder, sql } from "kysely"
import type { Db } from "#db/transaction"

export interface PaymentDifference {
  what: string
  expected: string
  found: string
}

/** Each answers one row for each thing that isn't as the books say. */
const checks: RawBuilder<PaymentDifference>[] = [
  sql`select 'lançamentos do pagamento ' || payment.end_to_end_id || ', em centavos' as what,
      payment.amount_cents::text as expected, coalesce(booked.gross::text, 'nenhum') as found
    from payments payment
    left join (
      select transaction.reference, sum(posting.amount_cents) as gross
      from ledger_transactions transaction
      join ledger_postings posting on posting.transaction_id = transaction.id
      where transaction.kind in ('payment', 'unmatched-payment') and posting.debit_account like 'psp-clearing:%'
      group by transaction.reference
    ) booked on booked.reference = payment.end_to_end_id
    where booked.gross is distinct from payment.amount_cents`,
  sql`select 'pagamento da transação contábil ' || transaction.reference as what, 'um pagamento' as expected,
      'nenhum' as found
    from ledger_transactions transaction
    where transaction.kind in ('payment', 'unmatched-payment')
      and not exists (select from payments where end_to_end_id = transaction.reference)`,
  sql`select 'pagamento da cobrança ' || charge.id as what, charge.amount_cents::text as expected,
      coalesce(payment.amount_cents::text, 'nenhum') as found
    from charges charge
    left join payments payment on payment.charge_id = charge.id and payment.disposition = 'credited'
    where charge.status in ('paid', 'refunded') and charge.txid is not null
      and payment.amount_cents is distinct from charge.amount_cents`,
  sql`select 'pagamento aceito como cobrança ' || charge.id as what, charge.amount_cents::text as expected,
      coalesce(accepted.amount::text, 'nenhum') as found
    from charges charge
    left join lateral (
      select payment.amount_cents - coalesce(sum(refund.amount_cents), 0) as amount
      from payment_reviews review
      join payments payment on payment.end_to_end_id = review.end_to_end_id
      left join refunds refund on refund.end_to_end_id = review.end_to_end_id
        and refund.charge_id is null and refund.status = 'completed'
      where review.accepted_charge_id = charge.id
      group by payment.end_to_end_id
    ) accepted on true
    where charge.txid is null and accepted.amount is distinct from charge.amount_cents`,
  sql`select 'situação da cobrança ' || charge.id as what, 'paga' as expected, charge.status as found
    from payments payment join charges charge on charge.id = payment.charge_id
    where payment.disposition = 'credited' and charge.status not in ('paid', 'refunded')`,
  sql`select 'total ' || coalesce(kept.status, real.status) || ' do vendedor '
        || coalesce(kept.seller_id, real.seller_id) as what,
      coalesce(real.count, 0) || ' / ' || coalesce(real.net, 0) as expected,
      coalesce(kept.count, 0) || ' / ' || coalesce(kept.net_cents, 0) as found
    from charge_totals kept
    full join (
      select seller_id, status, count(*) as count, sum(net_cents) as net
      from charges where status <> 'creating' group by seller_id, status
    ) real on real.seller_id = kept.seller_id and real.status = kept.status
    where coalesce(kept.count, 0) <> coalesce(real.count, 0) or coalesce(kept.net_cents, 0) <> coalesce(real.net, 0)`,
]

export async function findPaymentDifferences(db: Db): Promise<PaymentDifference[]> {
  const results = await Promise.all(checks.map((check) => check.execute(db)))
  return results.flatMap(({ rows }) => rows)
}

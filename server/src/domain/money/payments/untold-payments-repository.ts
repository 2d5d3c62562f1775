import { sql } from "kysely"
import type { Tx } from "#db/transaction"
import type { Cents } from "#kit/money"

export interface UntoldPayment {
  endToEndId: string
  paidAt: Date
  sellerId: string
  pageTitle: string
  payerName: string | null
  amountCents: Cents
  feeCents: Cents
  netCents: Cents
}

interface Wish {
  /** How many mails may be written. */
  atMost: number
  /** How many payments may be passed, most of which may need no mail. */
  most: number
  /** False when no seller is to be told. */
  notifies: boolean
}

/**
 * Moves the mark of the mails past the next payments, and returns those whose seller wants a mail for each. Another
 * server that reads at the same time gets none.
 */
export async function passUntoldPayments(
  tx: Tx,
  { atMost, most, notifies }: Wish,
): Promise<{ passed: number; untold: UntoldPayment[] }> {
  const { rows } = await sql<{ passed: number } & (UntoldPayment | { endToEndId: null })>`
    with mark as (
      select xid, end_to_end_id from payment_marks where reader = 'mails' for update skip locked
    ), next as (
      select payment.*, ${notifies} and payment.disposition = 'credited' and seller.payment_mails = 'each' as is_wanted
      from mark
      cross join lateral (
        select * from payments
        where payments.xid >= mark.xid and payments.xid < pg_snapshot_xmin(pg_current_snapshot())
          and (payments.xid, payments.end_to_end_id) > (mark.xid, mark.end_to_end_id)
        order by payments.xid, payments.end_to_end_id limit ${most}
      ) payment
      left join users seller on seller.id = payment.seller_id
    ), counted as (
      select *, count(*) filter (where is_wanted) over (order by xid, end_to_end_id) as wanted from next
    ), passed as (
      select * from counted where wanted <= ${atMost}
    ), marked as (
      update payment_marks set xid = last.xid, end_to_end_id = last.end_to_end_id
      from (select xid, end_to_end_id from passed order by xid desc, end_to_end_id desc limit 1) last
      where reader = 'mails'
    )
    select (select count(*) from passed) as passed, untold.*
    from (values (1)) as one
    left join (
      select passed.end_to_end_id as "endToEndId", passed.paid_at as "paidAt", charge.seller_id as "sellerId",
        charge.page_title as "pageTitle", charge.payer_name as "payerName", charge.amount_cents as "amountCents",
        charge.fee_cents as "feeCents", charge.net_cents as "netCents"
      from passed join charges charge on charge.id = passed.charge_id
      where passed.is_wanted order by passed.xid, passed.end_to_end_id
    ) untold on true`.execute(tx)
  return {
    passed: rows[0]?.passed ?? 0,
    untold: rows.flatMap((row) => (row.endToEndId === null ? [] : [row])),
  }
}

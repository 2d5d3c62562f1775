import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import type { Tx } from "#db/transaction"

interface Portion {
  /** About: payments of one transaction are folded together. */
  atMost: number
  /** Fewer are left for later. */
  atLeast: number
}

/** The number of folded payments. */
export async function foldPaymentRows(tx: Tx, { atMost, atLeast }: Portion): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_payments(${atMost}, ${atLeast}) as folded`.execute(tx)
  return rows[0]?.folded ?? 0
}

interface PricedPayment {
  endToEndId: string
  chargeId: string
  amountCents: Cents
  feeCents: Cents
  parts: object
  now: Date
}

/** The charge asks what the payment that is booked next brings, and the parts of that are kept. */
export async function priceDueCharge(
  tx: Tx,
  { endToEndId, chargeId, amountCents, feeCents, parts, now }: PricedPayment,
): Promise<void> {
  await sql`
    select price_due_charge(
      ${endToEndId}, ${chargeId}, ${amountCents}, ${feeCents}, ${JSON.stringify(parts)}, ${now}
    )`.execute(tx)
}

export interface CountedSince {
  provider: string
  since: Date
  most: number
}

/** With a limit PostgreSQL would rather read the oldest rows of the table than the few blocks that the index names. */
export async function countRowsSince(tx: Tx, { provider, since, most }: CountedSince): Promise<number> {
  await sql`select set_config('enable_seqscan', 'off', true)`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from payments where provider = ${provider} and paid_at >= ${since} limit ${most}
    ) recent`.execute(tx)
  return rows[0]?.count ?? 0
}

export interface UnmailedSale {
  chargeId: string
  endToEndId: string
  paidAt: Date
  sellerId: string
  /** As payers knew it when they paid: the shop's, else the seller's own. */
  sellerName: string
  /** Empty without one; null without a shop. */
  shopEmail: string | null
  /** Whether the seller wants a mail for each payment. */
  wantsMail: boolean
  pageTitle: string
  payerName: string | null
  /** Null where the page didn't ask for it. */
  payerEmail: string | null
  amountCents: Cents
  feeCents: Cents
  netCents: Cents
}

/** Until the commit no event is numbered, so a seller of whom all is told can be let go. */
export async function lockNumbers(tx: Tx): Promise<void> {
  await sql`select until from numbered_events for update`.execute(tx)
}

/** The most that is read of one seller, so that nobody waits for a seller who sells by the second. */
const EVENTS_AT_ONCE = 200

/**
 * The next sales of those who wait longest for mails about them. Passes these and what else happened to their sellers. Sales of
 * sellers who want no mails are among them, since their payers may get one.
 */
export async function takeUnmailedSales(tx: Tx, atMost: number): Promise<{ passed: number; sales: UnmailedSale[] }> {
  const { rows } = await sql<{ passed: number } & (UnmailedSale | { endToEndId: null })>`
    with waiting as materialized (
      select untold.*, seller.payment_mails = 'each' as wants_mails, seller.name as seller_name
      from untold_sales untold join users seller on seller.id = untold.seller_id
      order by untold.since, untold.seller_id limit ${atMost}
    ), next as (
      select waiting.seller_id, waiting.since, waiting.wants_mails, waiting.seller_name, event.sequence,
        event.occurred_at, event.subject_id, event.type = 'charge.paid' as is_wanted
      from waiting
      cross join lateral (
        select * from events
        where events.seller_id = waiting.seller_id and events.sequence > waiting.after_sequence
        order by events.sequence limit ${EVENTS_AT_ONCE}
      ) event
    ), counted as (
      select *, count(*) filter (where is_wanted) over (order by since, seller_id, sequence) as wanted from next
    ), passed as materialized (
      select * from counted where wanted <= ${atMost}
    ), ends as (
      select waiting.seller_id, max(passed.sequence) as sequence, max(passed.occurred_at) as occurred_at
      from waiting left join passed on passed.seller_id = waiting.seller_id group by waiting.seller_id
    ), told as (
      delete from untold_sales untold using ends
      where untold.seller_id = ends.seller_id
        and not exists (
          select from events
          where events.seller_id = untold.seller_id
            and events.sequence > coalesce(ends.sequence, untold.after_sequence)
        )
    ), moved as (
      update untold_sales untold set after_sequence = ends.sequence, since = ends.occurred_at
      from ends
      where untold.seller_id = ends.seller_id and exists (
        select from events where events.seller_id = untold.seller_id and events.sequence > ends.sequence
      )
    )
    select (select count(*) from passed) as passed, untold.*
    from (values (1)) as one
    left join (
      select charge.id as "chargeId", charge.end_to_end_id as "endToEndId", charge.paid_at as "paidAt", charge.seller_id as "sellerId",
        coalesce(nullif(named.name, ''), passed.seller_name) as "sellerName",
        case when named.name <> '' then coalesce(shop.email, '') end as "shopEmail", passed.wants_mails as "wantsMail", charge.page_title as "pageTitle",
        charge.payer_name as "payerName", charge.payer_email as "payerEmail", charge.amount_cents as "amountCents",
        charge.fee_cents as "feeCents", charge.net_cents as "netCents"
      from passed join charges charge on charge.id = passed.subject_id
      left join lateral (
        select name from shop_names where seller_id = charge.seller_id and since <= charge.paid_at order by id desc limit 1
      ) named on true
      left join shops shop on shop.seller_id = charge.seller_id
      where passed.is_wanted order by passed.since, passed.seller_id, passed.sequence
    ) untold on true`.execute(tx)
  return { passed: rows[0]?.passed ?? 0, sales: rows.flatMap((row) => (row.endToEndId === null ? [] : [row])) }
}

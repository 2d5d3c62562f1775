import { sql } from "kysely"
import type { Db } from "#db/transaction"

/**
 * Committed, and waiting for its number. Planned each time, and in the order of the index: a plan kept from when the table
 * was small would read all payments, and so would `exists`, whose order PostgreSQL drops.
 */
export async function isAnythingUnnumbered(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_any: boolean }>`
    with done as materialized (select until from numbered_events)
    select exists (select from event_drafts where xid > (select until from done))
      or (select xid from payments where xid > (select until from done) order by xid limit 1) is not null as is_any`.execute(
    db,
  )
  return rows[0]?.is_any ?? false
}

interface EventDifference {
  what: string
  expected: string
  found: string
}

/**
 * Numbers without holes up to each seller's last one, a payment's event for each numbered payment that is young enough to have
 * one, and subjects that are the seller's. Old events are deleted from the first on.
 */
export async function findEventDifferences(db: Db): Promise<EventDifference[]> {
  const { rows } = await sql<EventDifference>`
    with kept as materialized (
      select seller_id, count(*) as count, min(sequence) as first, max(sequence) as last, min(occurred_at) as since
      from events group by seller_id
    ), oldest as (
      select min(since) + interval '1 day' as since from kept
    )
    select 'eventos do vendedor ' || seller_id || ', numerados sem falha' as what,
      'até ' || coalesce(last_sequence, 0) as expected, count || ' de ' || first || ' a ' || last as found
    from kept left join event_sequences using (seller_id)
    where count <> last - first + 1 or last is distinct from last_sequence
    union all
    select 'evento do pagamento ' || payment.end_to_end_id || ' (cobrança ' || payment.charge_id || ')', 'um, deste momento', 'nenhum'
    from payments payment left join kept using (seller_id) cross join oldest
    where payment.disposition = 'credited' and payment.xid <= (select until from numbered_events)
      and payment.received_at > coalesce(kept.since, oldest.since)
      and not exists (
        select from events event where event.seller_id = payment.seller_id and event.subject_id = payment.charge_id
          and event.type = 'charge.paid' and event.occurred_at = payment.received_at
      )
    union all
    select 'evento ' || event.sequence || ' do vendedor ' || event.seller_id || ': ' || event.type, 'sobre algo deste vendedor',
      event.subject_id::text
    from events event where not exists (
      select from charges where id = event.subject_id and seller_id = event.seller_id and event.type like 'charge.%'
      union all
      select from withdrawals where id = event.subject_id and seller_id = event.seller_id and event.type like 'withdrawal.%'
      union all
      select from charge_pages where id = event.subject_id and seller_id = event.seller_id and event.type like 'page.%'
      union all
      select from invoices where id = event.subject_id and seller_id = event.seller_id and event.type like 'invoice.%'
      union all
      select from subscriptions where id = event.subject_id and seller_id = event.seller_id and event.type like 'subscription.%'
      union all
      select from mandates where id = event.subject_id and seller_id = event.seller_id and event.type like 'mandate.%'
      union all
      select from debits where id = event.subject_id and seller_id = event.seller_id and event.type like 'debit.%'
      union all
      select from reminders where id = event.subject_id and seller_id = event.seller_id and event.type like 'reminder.%'
      union all
      select from unmatched_payments where id = event.subject_id and event.type = 'payment.unmatched'
    )
    limit 1000`.execute(db)
  return rows
}

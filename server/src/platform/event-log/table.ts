import type { EventType } from "@tilinta/contract/vocabulary/events"
import { type RawBuilder, sql } from "kysely"
import { markOf } from "#db/prepared"
import type { Tx } from "#db/transaction"

type WrittenByTheDatabase =
  | "charge.created"
  | "charge.expired"
  | "charge.cancelled"
  | "charge.refunded"
  | "page.completed"
  | "payment.unmatched"
  | "invoice.paid"

export type AppendedType = Exclude<EventType, WrittenByTheDatabase>
type Subject = AppendedType extends `${infer Noun}.${string}` ? Noun : never

interface Fact {
  type: AppendedType
  subjectIds: readonly string[]
  now: Date
}

/** A subject's row, and what of it may change. Frozen facts, such as a payer's data, stand in the row alone. */
const subjects: Record<Subject, { rows: RawBuilder<unknown>; state: RawBuilder<unknown> }> = {
  charge: { rows: sql`charges`, state: sql`charge_state(subject)` },
  withdrawal: {
    rows: sql`withdrawals`,
    state: sql`jsonb_build_object(
      'status', subject.status, 'provider', subject.provider, 'end_to_end_id', subject.end_to_end_id,
      'admin_notes', subject.admin_notes, 'failure_reason', subject.failure_reason, 'approved_at', subject.approved_at,
      'sent_at', subject.sent_at, 'processed_at', subject.processed_at, 'settled_at', subject.settled_at,
      'returned_cents', subject.returned_cents, 'returned_at', subject.returned_at, 'return_reason', subject.return_reason,
      'held_until', subject.held_until, 'hold_reasons', subject.hold_reasons
    )`,
  },
  page: {
    rows: sql`(select * from charge_pages where deleted_at is null and not is_unlisted)`,
    state: sql`jsonb_build_object(
      'title', subject.title, 'description', subject.description, 'amount_cents', subject.amount_cents,
      'max_amount_cents', subject.max_amount_cents, 'suggested_cents', subject.suggested_cents,
      'slug', subject.slug, 'allow_anonymous', subject.allow_anonymous, 'require_name', subject.require_name,
      'require_email', subject.require_email, 'require_phone', subject.require_phone, 'require_cpf', subject.require_cpf,
      'expires_in_hours', subject.expires_in_hours, 'expires_at', subject.expires_at,
      'max_payments', subject.max_payments, 'status', subject.status, 'updated_at', subject.updated_at,
      'suspended_at', subject.suspended_at, 'suspended_for', subject.suspended_for,
      'order', (
        select jsonb_build_object(
          'externalReference', external_reference, 'metadata', metadata, 'returnUrl', return_url
        ) from orders where page_id = subject.id
      ),
      'payments_count', subject.payments_count + coalesce(
        (select count from page_payments where seller_id = subject.seller_id and page_id = subject.id), 0
      )
    )`,
  },
  invoice: { rows: sql`invoices`, state: sql`invoice_state(subject)` },
  subscription: { rows: sql`subscriptions`, state: sql`subscription_state(subject)` },
  mandate: { rows: sql`mandates`, state: sql`mandate_state(subject)` },
  debit: { rows: sql`debits`, state: sql`debit_state(subject)` },
  reminder: { rows: sql`reminders`, state: sql`null::jsonb` },
}

export async function insertDrafts(tx: Tx, { type, subjectIds, now }: Fact): Promise<void> {
  const subject = type.split(".")[0] as Subject
  const { rows, state } = subjects[subject]
  await sql`${sql.raw(markOf(`insert-drafts-of-${subject}`))}
    insert into event_drafts (occurred_at, seller_id, subject_id, type, state)
    select ${now}, subject.seller_id, subject.id, ${type}, ${state}
    from unnest(${[...subjectIds]}::uuid[]) with ordinality given (id, place)
    join ${rows} subject on subject.id = given.id
    order by given.place`.execute(tx)
}

/** The number of events that got one. */
export async function numberDrafts(tx: Tx, atMost: number): Promise<number> {
  const { rows } = await sql<{ numbered: number }>`select number_events(${atMost}) as numbered`.execute(tx)
  return rows[0]?.numbered ?? 0
}

const SELLERS_AT_ONCE = 500
/** The most of each one. */
const EVENTS_AT_ONCE = 200

/**
 * Deletes sellers' oldest events up to the first one that is kept, so that no hole opens among the others. Time has no
 * index: a seller without old events costs one lookup by key.
 */
export async function deleteEventsBefore(tx: Tx, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    with seller as materialized (
      select kept.seller_id
      from event_sequences kept
      cross join lateral (
        select occurred_at from events where seller_id = kept.seller_id order by sequence limit 1
      ) first
      where first.occurred_at < ${before} limit ${SELLERS_AT_ONCE}
    ), old as (
      select seller_id, sequence, bool_and(occurred_at < ${before}) over (partition by seller_id order by sequence) as is_old
      from seller
      cross join lateral (
        select sequence, occurred_at from events
        where events.seller_id = seller.seller_id order by sequence limit ${EVENTS_AT_ONCE}
      ) oldest
    )
    delete from events using old
    where old.is_old and events.seller_id = old.seller_id and events.sequence = old.sequence`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

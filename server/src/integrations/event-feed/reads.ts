import type { EventType } from "@tilinta/contract/vocabulary/events"
import { sql } from "kysely"
import type { Db } from "#db/transaction"

export interface EventRow {
  sequence: number
  occurredAt: Date
  type: EventType
  subjectId: string
  /** Columns of the subject's row as they were; null where the type says it all. */
  state: object | null
}

export interface EventQuery {
  sellerId: string
  /** The sequence of the last event that is known already. */
  after: number
  limit: number
  /** All when undefined. */
  types: readonly EventType[] | undefined
}

interface Found {
  rows: EventRow[]
  /** The last event that was looked at; null when there is none after those known. */
  seen: number | null
  /** The seller's last event of all; 0 before the first. */
  last: number
}

/** 0 before the first event. */
export async function findLastSequence(db: Db, sellerId: string): Promise<number> {
  const row = await db
    .selectFrom("event_sequences")
    .select("last_sequence")
    .where("seller_id", "=", sellerId)
    .executeTakeFirst()
  return row?.last_sequence ?? 0
}

/** Looks at no more than `mostSeen` events, however few of them are of the types. */
export async function findEventRows(
  db: Db,
  { sellerId, after, limit, types }: EventQuery,
  mostSeen: number,
): Promise<Found> {
  const { rows } = await sql<{ seen: number | null; last: number | null } & (EventRow | { sequence: null })>`
    with seen as materialized (
      select sequence, occurred_at, type, subject_id, state from events
      where seller_id = ${sellerId} and sequence > ${after}
      order by sequence limit ${types === undefined ? limit : mostSeen}
    ), chosen as (
      select * from seen where ${types === undefined} or type = any(${[...(types ?? [])]}::text[])
      order by sequence limit ${limit}
    )
    select (select last_sequence from event_sequences where seller_id = ${sellerId}) as last,
      (select max(sequence) from seen) as seen, chosen.sequence, chosen.occurred_at as "occurredAt", chosen.type,
      chosen.subject_id as "subjectId", chosen.state
    from (values (1)) one left join chosen on true
    order by chosen.sequence`.execute(db)
  return {
    rows: rows.flatMap((row) => (row.sequence === null ? [] : [row])),
    seen: rows[0]?.seen ?? null,
    last: rows[0]?.last ?? 0,
  }
}

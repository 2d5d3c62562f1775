import { type RawBuilder, sql } from "kysely"

/** A row as it was at an event. */
export interface PastRow {
  /** The event's. */
  sequence: number
  id: string
  /** Columns that were different, or may have been. */
  state: object | null
}

/**
 * For `from`: the rows as `was`, each with its `past.sequence`. PostgreSQL puts the state over the row, so that whatever is
 * no part of it, such as a payer's data, is what the row says today. The ids are named apart, because PostgreSQL doesn't know
 * how few a list in JSON holds, and would read a young table whole.
 */
export function pastRows(
  table: "charges" | "charge_pages" | "withdrawals",
  past: readonly PastRow[],
): RawBuilder<unknown> {
  return sql`
    jsonb_to_recordset(${JSON.stringify(past)}::jsonb) as past (sequence bigint, id uuid, state jsonb)
    join ${sql.table(table)} as subject on subject.id = past.id and subject.id = any(${past.map(({ id }) => id)}::uuid[])
    cross join lateral jsonb_populate_record(subject, past.state) was`
}

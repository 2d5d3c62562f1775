import { sql } from "kysely"
import type { Schema } from "#db/schema"
import type { Tx } from "#db/transaction"

export type RetentionSubject = Schema["retention_marks"]["subject"]

/** The last row that was read. The moment is text, as the database has it: with microseconds, or `-infinity`. */
export interface Mark {
  moment: string
  id: string
}

/** Undefined while another server reads on. */
export async function lockMark(tx: Tx, subject: RetentionSubject): Promise<Mark | undefined> {
  const { rows } = await sql<Mark>`
    select reached_at::text as moment, reached_id as id from retention_marks
    where subject = ${subject} for update skip locked`.execute(tx)
  return rows[0]
}

export async function moveMark(tx: Tx, subject: RetentionSubject, { moment, id }: Mark): Promise<void> {
  await sql`
    update retention_marks set reached_at = ${moment}::timestamptz, reached_id = ${id}
    where subject = ${subject}`.execute(tx)
}

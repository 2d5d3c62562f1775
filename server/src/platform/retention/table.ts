import { sql } from "kysely"
import type { Tx } from "#db/transaction"
import type { Mark, RetentionSubject } from "./rules.ts"

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

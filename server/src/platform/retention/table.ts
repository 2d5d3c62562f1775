import { sql } from "kysely"
import type { Schema } from "#db/schema"
import type { Tx } from "#db/transaction"
import { yieldWhenBusy } from "#kit/waiting-line"

export interface Passed {
  count: number
  /** Null when nothing was left to read. */
  last: Mark | null
}

/**
 * Reads a table once, from its oldest rows on: `pass` does the work for the next rows behind the mark, and the mark moves in
 * the same transaction, so that a kill repeats a batch and skips none. Returns how many rows were read; 0 also while
 * another server reads on.
 */
export async function readOn(
  tx: Tx,
  subject: RetentionSubject,
  pass: (after: Mark) => Promise<Passed>,
): Promise<number> {
  const mark = await lockMark(tx, subject)
  if (mark === undefined) return 0
  const { count, last } = await pass(mark)
  if (last !== null) await moveMark(tx, subject, last)
  return count
}

/** A backlog of months leaves the connection to other jobs after so many batches; the next run goes on. */
const MOST_BATCHES = 20

/** Repeats a batch until one is not full. Pauses between them while payers keep the server busy. */
export async function workThrough(full: number, batch: () => Promise<number>): Promise<void> {
  for (let done = 0; done < MOST_BATCHES; done += 1) {
    if ((await batch()) < full) return
    await yieldWhenBusy()
  }
}

type RetentionSubject = Schema["retention_marks"]["subject"]

/** The last row that was read. The moment is text, as the database has it: with microseconds, or `-infinity`. */
export interface Mark {
  moment: string
  id: string
}

/** Undefined while another server reads on. */
async function lockMark(tx: Tx, subject: RetentionSubject): Promise<Mark | undefined> {
  const { rows } = await sql<Mark>`
    select reached_at::text as moment, reached_id as id from retention_marks
    where subject = ${subject} for update skip locked`.execute(tx)
  return rows[0]
}

async function moveMark(tx: Tx, subject: RetentionSubject, { moment, id }: Mark): Promise<void> {
  await sql`
    update retention_marks set reached_at = ${moment}::timestamptz, reached_id = ${id}
    where subject = ${subject}`.execute(tx)
}

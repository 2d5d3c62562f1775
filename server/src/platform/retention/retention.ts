import type { Tx } from "#db/transaction"
import { yieldWhenBusy } from "#kit/waiting-line"
import { lockMark, type Mark, moveMark, type RetentionSubject } from "./table.ts"

export type { Mark }

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
export async function workThrough(full: number, batch: () => Promise<number>, most = MOST_BATCHES): Promise<void> {
  for (let done = 0; done < most; done += 1) {
    if ((await batch()) < full) return
    await yieldWhenBusy()
  }
}

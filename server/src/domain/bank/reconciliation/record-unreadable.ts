import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import type { Psp } from "#psp/psp"
import {
  deleteBookedUnreadable,
  insertUnreadableOnce,
  listUnreadableRows,
  type SeenUnreadable,
} from "./unreadable-entries-repository.ts"

export type { SeenUnreadable } from "./unreadable-entries-repository.ts"

/** Stores what the provider listed and we could not read: people see it, and the daily close counts it. */
export async function recordUnreadable({ db, psp, clock }: { db: Db; psp: Psp; clock: Clock }): Promise<void> {
  const entries = psp.takeUnreadable()
  if (entries.length === 0) return
  const seen = { provider: psp.name, entries, now: clock.now() }
  await db.transaction().execute((tx) => insertUnreadableOnce(tx, seen))
}

const MOST_SHOWN = 100

/** Newest first. */
export function listUnreadable(db: Db): Promise<SeenUnreadable[]> {
  return listUnreadableRows(db, MOST_SHOWN)
}

/** Forgets those that the provider has written readably meanwhile, so that the table stays short. */
export async function tidyUnreadable({ db }: { db: Db }): Promise<void> {
  await db.transaction().execute(deleteBookedUnreadable)
}

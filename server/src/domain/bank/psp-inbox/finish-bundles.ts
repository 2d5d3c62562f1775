import { isDatabaseDown } from "#db/database-down"
import { executeOne } from "#db/one-statement"
import type { Db } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { createMicroBatch } from "#kit/micro-batch"
import {
  type InboxBundle,
  markInboxProcessed,
  postponeInboxBundle,
  replaceInboxBundle,
} from "./psp-inbox-repository.ts"

/** The outcome of a message. `given-back` was never started. */
export type MessageOutcome = "settled" | "unreadable" | "open" | "given-back"

export interface ClaimedBundle extends InboxBundle {
  claimedUntil: Date
}

type FinishBundle = (bundle: ClaimedBundle, outcomes: readonly MessageOutcome[]) => Promise<void>

interface Done {
  id: number
  note: "unreadable" | null
}

const MARKED_AT_ONCE = 200
const longestPauseSeconds = 60

/**
 * Marks bundles as processed; the open messages of a bundle are retried, in a bundle of their own once the rest is
 * done.
 */
export function bundleFinisher({ db, clock }: { db: Db; clock: Clock }): FinishBundle {
  async function markAll(done: readonly Done[]): Promise<undefined[]> {
    for (const note of ["unreadable", null] as const) {
      const ids = done.flatMap((each) => (each.note === note ? [each.id] : []))
      if (ids.length > 0) await executeOne(db, markInboxProcessed(ids, clock.now(), note))
    }
    return done.map(() => undefined)
  }

  const mark = createMicroBatch<Done, void>({
    ...{ run: markAll, most: MARKED_AT_ONCE, slots: 1, callers: "none" },
    failsAll: isDatabaseDown,
  })

  return async (bundle, outcomes) => {
    const { id, bodies, attempts, claimedUntil } = bundle
    const open = bodies.filter((_body, at) => outcomes[at] === "open" || outcomes[at] === "given-back")
    if (open.length === 0) {
      await mark({ id, note: outcomes.includes("unreadable") ? "unreadable" : null })
      return
    }
    const now = clock.now()
    const pauseSeconds = Math.min(2 ** attempts, longestPauseSeconds)
    const again = outcomes.includes("open")
      ? { at: secondsAfter(now, pauseSeconds), attempts, error: "no answer or not booked" }
      : { at: now, attempts: attempts - 1, error: null }
    if (open.length === bodies.length) {
      await db.transaction().execute((tx) => postponeInboxBundle(tx, id, claimedUntil, again))
    } else {
      await db.transaction().execute((tx) => replaceInboxBundle(tx, { id, open, now, again }))
    }
  }
}

import type { Db, Tx } from "#db/transaction"
import { createPause } from "#kit/clock"
import { isAnythingUnnumbered } from "./reads.ts"
import { type AppendedType, insertDrafts, numberDrafts } from "./table.ts"

/**
 * Appends the same fact about each subject, last in the transaction of the change: the event shows the rows as they are now.
 * The database itself appends the events of payments and of other changes of charges.
 */
export async function appendEvents(
  tx: Tx,
  type: AppendedType,
  subjectIds: readonly string[],
  now: Date,
): Promise<void> {
  if (subjectIds.length > 0) await insertDrafts(tx, { type, subjectIds, now })
}

/** About a second of work for one transaction. */
const BATCH = 10_000

/** With more events than this the next run comes soon anyway, and polling would only make each event dearer. */
const FEW = 50

/**
 * Gives the drafts that were written since the last run their numbers in the sellers' logs; from then on they can be read.
 * Returns true when few were numbered and some must wait for an older transaction: then it is worth polling again soon.
 */
export async function numberEvents({ db }: { db: Db }): Promise<boolean> {
  for (;;) {
    const numbered = await db.transaction().execute((tx) => numberDrafts(tx, BATCH))
    if (numbered < BATCH) return numbered <= FEW && (await isAnythingUnnumbered(db))
  }
}

/** Events that come together are numbered together. */
const TOGETHER_MS = 100
/** Most transactions end within milliseconds; drafts behind a longer one wait for the next event or second. */
const POLL_AGAIN_MS = 20
const MOST_POLLS = 4

interface NumberingRun {
  run(): Promise<void>
  /** Requests a run: events are pending. */
  ask(): void
  stop(): void
}

/**
 * Polls again a few times while drafts must wait for an older transaction, of whichever seller; without it they would wait
 * for the next event.
 */
export function createNumberingRun({ db }: { db: Db }, wake: () => void): NumberingRun {
  let polls = 0
  const soon = createPause(TOGETHER_MS, () => {
    polls = MOST_POLLS
    wake()
  })
  const again = createPause(POLL_AGAIN_MS, wake)
  return {
    async run() {
      if (!(await numberEvents({ db })) || polls === 0) return
      polls -= 1
      again.ask()
    },
    ask: soon.ask,
    stop() {
      soon.stop()
      again.stop()
    },
  }
}

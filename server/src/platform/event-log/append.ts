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

/** A second's work at most, in one transaction. */
const BATCH = 10_000

/** With more at a time the next numbering is due soon anyway, and more of them would cost each event more. */
const FEW = 50

/**
 * Gives what happened since the last time its place in the logs of the sellers, from which on it can be read. True when only
 * a few events came and another transaction still holds back some that are committed: then a look soon after is worth it.
 */
export async function numberEvents({ db }: { db: Db }): Promise<boolean> {
  for (;;) {
    const numbered = await db.transaction().execute((tx) => numberDrafts(tx, BATCH))
    if (numbered < BATCH) return numbered <= FEW && (await isAnythingUnnumbered(db))
  }
}

/** Events that come together are numbered together. */
const TOGETHER_MS = 100
/** Transactions end within some milliseconds; what a longer one holds back is looked for with the next event or second. */
const HELD_BACK_MS = 20
const MOST_LOOKS = 4

interface NumberingRun {
  run(): Promise<void>
  /** There is news. */
  ask(): void
  stop(): void
}

/**
 * An event that is held back by a transaction under way, of whomever, would otherwise wait for the next event: a busy log of
 * failures would make every seller's events late.
 */
export function createNumberingRun({ db }: { db: Db }, wake: () => void): NumberingRun {
  let looks = 0
  const soon = createPause(TOGETHER_MS, () => {
    looks = MOST_LOOKS
    wake()
  })
  const again = createPause(HELD_BACK_MS, wake)
  return {
    async run() {
      if (!(await numberEvents({ db })) || looks === 0) return
      looks -= 1
      again.ask()
    },
    ask: soon.ask,
    stop() {
      soon.stop()
      again.stop()
    },
  }
}

import type { Db } from "#db/transaction"
import { isPaymentsRush } from "#domain/platform/payments-rush/payments-rush"
import { type Clock, secondsAfter } from "#kit/clock"
import { saoPauloDay, startOfDay } from "#kit/sao-paulo-day"
import { closeUntil, enterSome, waitsSince } from "./statements-repository.ts"

interface Deps {
  db: Db
  clock: Clock
}

/** A fraction of a second's work, in one transaction. */
const BATCH = 10_000
/** Readers of a statement add up what is not entered yet. */
const LONGEST_WAIT_SECONDS = 60
/** As the daily close: no transaction lasts as long. */
const HOURS_UNTIL_CLOSE = 3

/** Enters what was booked since the last time into the statements, and later while payments keep the server busy. */
export async function enterMovements({ db, clock }: Deps): Promise<void> {
  const now = clock.now()
  if ((await isPaymentsRush(db, now)) && !(await waitsSince(db, secondsAfter(now, -LONGEST_WAIT_SECONDS)))) return
  await enterAll(db)
}

/** Closes the statements of every day that has ended, so that no figure of a month changes once somebody relies on it. */
export async function closeStatements({ db, clock }: Deps): Promise<void> {
  await enterAll(db)
  const until = startOfDay(saoPauloDay(secondsAfter(clock.now(), -HOURS_UNTIL_CLOSE * 3600)))
  await db.transaction().execute((tx) => closeUntil(tx, until))
}

async function enterAll(db: Db): Promise<void> {
  for (;;) {
    const entered = await db.transaction().execute((tx) => enterSome(tx, BATCH))
    if (entered < BATCH) return
  }
}

import type { Db, Tx } from "#db/transaction"
import { type Mark, readOn } from "#domain/platform/retention/read-on"
import { workThrough } from "#domain/platform/retention/work-through"
import { readPayerDataDays } from "#domain/platform/settings/read-setting"
import { type Clock, secondsAfter } from "#kit/clock"
import { erasePayers } from "./erase-payers.ts"
import {
  deleteWaiting,
  findNextCharges,
  findWithoutPayer,
  insertWaiting,
  lockWaiting,
  updateWaiting,
} from "./payer-data-repository.ts"

const BATCH = 500
const DAY = 86_400

interface Times {
  now: Date
  /** Nothing may have happened to the charge since; null where payers' data are kept for ever. */
  lastNewsBefore: Date | null
}

/**
 * Erases the data of payers some days after the last event of their charge. Reads each charge once: a mark moves through
 * their history, and those that must keep their data for now wait in a table of their own.
 */
export async function eraseOldPayerData({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now()
  const days = await readPayerDataDays(db)
  const lastNewsBefore = days === null ? null : secondsAfter(now, -days * DAY)
  await workThrough(BATCH, () => db.transaction().execute((tx) => lookAgain(tx, { now, lastNewsBefore })))
  if (lastNewsBefore === null) return
  await workThrough(BATCH, () => db.transaction().execute((tx) => passNext(tx, { now, lastNewsBefore })))
}

async function passNext(tx: Tx, times: Times & { lastNewsBefore: Date }): Promise<number> {
  return readOn(tx, "charge", (after) => erasePassed(tx, after, times))
}

/** A code lives for a day, so that nearly every charge has ended when the mark comes a day after its creation. */
async function erasePassed(tx: Tx, after: Mark, { now, lastNewsBefore }: Times & { lastNewsBefore: Date }) {
  const createdBefore = secondsAfter(lastNewsBefore, -DAY)
  const passed = await findNextCharges(tx, { after, createdBefore, limit: BATCH })
  const erased = new Set(await erasePayers(tx, passed.withPayer, { now, lastNewsBefore }))
  const kept = passed.withPayer.filter((id) => !erased.has(id))
  await insertWaiting(tx, kept, secondsAfter(now, DAY))
  return passed
}

/** For charges whose payer asked for it, only what is open stands in the way. */
async function lookAgain(tx: Tx, { now, lastNewsBefore }: Times): Promise<number> {
  const waiting = await lockWaiting(tx, now, BATCH)
  const ids = waiting.map(({ id }) => id)
  const asked = waiting.filter(({ wasAsked }) => wasAsked).map(({ id }) => id)
  const others = waiting.filter(({ wasAsked }) => !wasAsked).map(({ id }) => id)
  await erasePayers(tx, asked, { now, lastNewsBefore: null })
  if (lastNewsBefore !== null) await erasePayers(tx, others, { now, lastNewsBefore })
  const done = new Set(await findWithoutPayer(tx, ids))
  await deleteWaiting(tx, [...done])
  await updateWaiting(
    tx,
    ids.filter((id) => !done.has(id)),
    secondsAfter(now, DAY),
  )
  return waiting.length
}

import type { Db } from "#db/transaction"
import { type Clock, type Day, daysAfter, saoPauloDay, saoPauloHour } from "#kit/clock"
import type { NewMail } from "#platform/mails/mail-content"
import { enqueueMails } from "#platform/mails/notify-owner"
import { readSetting } from "#platform/settings/reads"
import { type DaySummary, findSummaries } from "./reads.ts"
import { foldPaymentRows } from "./table.ts"

const BATCH = 10_000
/** Reading them costs as much as folding them does: about a microsecond each. */
const MANY = 5_000

/**
 * Adds the payments booked since the last time to the changes of totals and to the counts of pages, so that few are added
 * up by whoever reads these. They are exact without it.
 */
export function foldPayments({ db }: { db: Db }): Promise<void> {
  return fold(db, 1)
}

/** In a flood, before its time: each fold writes a few rows for each seller, so it should not come sooner than it must. */
export function foldManyPayments({ db }: { db: Db }): Promise<void> {
  return fold(db, MANY)
}

async function fold(db: Db, atLeast: number): Promise<void> {
  for (;;) {
    const folded = await db.transaction().execute((tx) => foldPaymentRows(tx, { atMost: BATCH, atLeast }))
    // A batch ends between two transactions, so it is seldom full.
    if (folded < BATCH / 2) return
  }
}

/** Sellers read their mail in the morning; by then the night's late receipts are booked as well. */
const FROM_HOUR = 6
const SUMMARIES_AT_ONCE = 500

/** One mail about yesterday to each seller who chose a summary and was paid; a day without a running server is left out. */
export async function writeDailySummaries({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now()
  if (saoPauloHour(now) < FROM_HOUR || !(await readSetting(db, "NOTIFY_SELLER_ON_PAYMENT"))) return
  const day = daysAfter(saoPauloDay(now), -1)
  for (let after: string | null = null; ; ) {
    const summaries: DaySummary[] = await findSummaries(db, { day, after, limit: SUMMARIES_AT_ONCE })
    const mails = summaries.filter(({ count }) => count > 0).map((summary) => mailOf(summary, day))
    await db.transaction().execute((tx) => enqueueMails(tx, mails, now))
    after = summaries.at(-1)?.sellerId ?? null
    if (summaries.length < SUMMARIES_AT_ONCE) return
  }
}

function mailOf({ sellerId, ...amounts }: DaySummary, day: Day): NewMail {
  return {
    userId: sellerId,
    dedupeKey: `payments-of-day:${sellerId}:${day}`,
    content: { kind: "payments_of_day", day, ...amounts },
  }
}

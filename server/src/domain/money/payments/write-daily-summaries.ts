import type { Db } from "#db/transaction"
import { enqueueMails, type NewMail } from "#domain/platform/mails/enqueue-mails"
import { readNotifiesSellerOnPayment } from "#domain/platform/settings/read-setting"
import type { Clock } from "#kit/clock"
import { type Day, daysAfter, saoPauloDay } from "#kit/sao-paulo-day"
import { type DaySummary, findSummaries } from "./daily-summaries-repository.ts"

/** Sellers read their mail in the morning; by then the night's late receipts are booked as well. */
const FROM_HOUR = 6
const BATCH = 500

const hour = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", timeZone: "America/Sao_Paulo" })

/** One mail about yesterday to each seller who chose a summary and was paid; a day without a running server is left out. */
export async function writeDailySummaries({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now()
  if (Number(hour.format(now)) < FROM_HOUR || !(await readNotifiesSellerOnPayment(db))) return
  const day = daysAfter(saoPauloDay(now), -1)
  for (let after: string | null = null; ; ) {
    const summaries: DaySummary[] = await findSummaries(db, { day, after, limit: BATCH })
    const mails = summaries.filter(({ count }) => count > 0).map((summary) => mailOf(summary, day))
    await db.transaction().execute((tx) => enqueueMails(tx, mails, now))
    after = summaries.at(-1)?.sellerId ?? null
    if (summaries.length < BATCH) return
  }
}

function mailOf({ sellerId, ...amounts }: DaySummary, day: Day): NewMail {
  return {
    userId: sellerId,
    dedupeKey: `payments-of-day:${sellerId}:${day}`,
    content: { kind: "payments_of_day", day, ...amounts },
  }
}

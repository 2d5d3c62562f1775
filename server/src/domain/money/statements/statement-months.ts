import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { firstDayOf, type Month, monthOf, monthsAfter, saoPauloDay, startOfDay } from "#kit/sao-paulo-day"
import { yieldWhenBusy } from "#kit/yield-when-busy"
import { linesOf } from "./statement-line.ts"
import { readSlice, type Span } from "./statements-repository.ts"
import { type TitledLine, withTitles } from "./titled-lines.ts"

/** Facts of a month for a file's head. */
export interface MonthFacts extends Span {
  month: Month
  now: Date
  /** The month's end, or now. */
  until: Date
  openingCents: Cents
}

/** São Paulo's month. */
export function monthAt(moment: Date): Month {
  return monthOf(saoPauloDay(moment))
}

export function spanOf(sellerId: string, month: Month): Span {
  return { sellerId, from: startOfDay(firstDayOf(month)), to: startOfDay(firstDayOf(monthsAfter(month, 1))) }
}

const BATCH = 1_000

/** All lines of the span, some at a time, so that a long month never fills the memory. */
export async function* linesWithin(db: Db, span: Span): AsyncGenerator<TitledLine[]> {
  let after: string | null = null
  for (;;) {
    const { movements } = await readSlice(db, { ...span, after, limit: BATCH })
    const settled = movements.filter(({ isSettled }) => isSettled)
    const isLast = settled.length <= BATCH
    const page = isLast ? movements : settled.slice(0, BATCH)
    yield await withTitles(db, page.flatMap(linesOf))
    if (isLast) return
    after = page.at(-1)?.position ?? null
    await yieldWhenBusy()
  }
}

import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import type { Month } from "#kit/sao-paulo-day"
import { readToCome } from "#money/reserves/reads"
import { linesOf } from "./statement-line.ts"
import { monthAt, spanOf } from "./statement-months.ts"
import { readSlice } from "./statements-repository.ts"
import { type TitledLine, withTitles } from "./titled-lines.ts"

interface Wish {
  sellerId: string
  /** By default the present one. */
  month: Month | undefined
  after: string | undefined
  limit: number
}

interface Statement {
  month: Month
  openingCents: Cents
  closingCents: Cents
  toComeCents: Cents
  isClosed: boolean
  lines: TitledLine[]
  next: string | null
}

/** A page of a seller's month, oldest first. */
export async function readStatement(deps: { db: Db; clock: Clock }, wish: Wish): Promise<Statement> {
  const month = wish.month ?? monthAt(deps.clock.now())
  const span = spanOf(wish.sellerId, month)
  const { movements, ...slice } = await readSlice(deps.db, { ...span, after: wish.after ?? null, limit: wish.limit })
  const settled = movements.filter(({ isSettled }) => isSettled)
  const isLast = settled.length <= wish.limit
  // An unsettled movement may yet get another before it, so no page goes on after one.
  const page = isLast ? movements : settled.slice(0, wish.limit)
  const toComeCents = await readToCome(deps.db, wish.sellerId)
  return {
    month,
    ...slice,
    toComeCents,
    lines: await withTitles(deps.db, page.flatMap(linesOf)),
    next: isLast ? null : (page.at(-1)?.position ?? null),
  }
}

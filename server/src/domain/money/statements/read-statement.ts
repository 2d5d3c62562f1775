import type { Db } from "#db/transaction"
import { readToCome } from "#domain/money/reserves/read-to-come"
import type { Clock } from "#kit/clock"
import type { Cents } from "#kit/money"
import type { Month } from "#kit/sao-paulo-day"
import { linesOf, type StatementLine } from "./statement-line.ts"
import { monthAt, spanOf } from "./statement-months.ts"
import { findPageTitles, readSlice } from "./statements-repository.ts"

interface Wish {
  sellerId: string
  /** By default the present one. */
  month: Month | undefined
  after: string | undefined
  limit: number
}

export interface TitledLine extends StatementLine {
  /** The title of the page that was paid; null for what is no sale. */
  pageTitle: string | null
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

export async function withTitles(db: Db, lines: readonly StatementLine[]): Promise<TitledLine[]> {
  const ids = new Set(lines.flatMap(({ chargeId }) => (chargeId === null ? [] : [chargeId])))
  const titles = await findPageTitles(db, [...ids])
  return lines.map((line) => ({ ...line, pageTitle: titles.get(line.chargeId ?? "") ?? null }))
}

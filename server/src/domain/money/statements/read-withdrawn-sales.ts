import type { Db } from "#db/transaction"
import { findNearestWithdrawals, getWithdrawal } from "#money/withdrawals/reads"
import { linesOf } from "./statement-line.ts"
import { findWithdrawalLines, readSales } from "./statements-repository.ts"
import { type TitledLine, withTitles } from "./titled-lines.ts"

interface Wish {
  sellerId: string
  withdrawalId: string
  after: string | undefined
  limit: number
}

/**
 * The sales that a withdrawal paid out: those between its line in the statement and that of the seller's withdrawal before it. Money left over from
 * earlier sales is in the balance before.
 */
export async function readWithdrawnSales(
  db: Db,
  { sellerId, withdrawalId, after, limit }: Wish,
): Promise<{ lines: TitledLine[]; next: string | null }> {
  const own = await getWithdrawal(db, { id: withdrawalId, sellerId })
  const nearest = await findNearestWithdrawals(db, own)
  // Lines, not moments: the clocks of the server that took the request and of those that booked sales may differ.
  const numbers = await findWithdrawalLines(db, sellerId, [own, ...nearest])
  const ownLine = numbers.find(({ id }) => id === own.id)
  if (ownLine === undefined) return { lines: [], next: null }
  const [before] = numbers.filter(({ number }) => number < ownLine.number).toSorted((a, b) => b.number - a.number)
  const start = after ?? before?.position ?? null
  const found = await readSales(db, { sellerId, after: start, before: ownLine.position, limit })
  const page = found.slice(0, limit)
  const lines = await withTitles(db, page.flatMap(linesOf))
  return { lines, next: found.length > limit ? (page.at(-1)?.position ?? null) : null }
}

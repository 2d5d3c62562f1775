import type { Db } from "#db/transaction"
import { readWithdrawalSpan } from "#domain/money/withdrawals/read-withdrawal-span"
import { type TitledLine, withTitles } from "./read-statement.ts"
import { linesOf } from "./statement-line.ts"
import { readSales } from "./statements-repository.ts"

interface Wish {
  sellerId: string
  withdrawalId: string
  after: string | undefined
  limit: number
}

/**
 * The sales that a withdrawal paid out: those that came in since the seller's withdrawal before it. Money left over from
 * earlier sales is in the balance before.
 */
export async function readWithdrawnSales(
  db: Db,
  { sellerId, withdrawalId, after, limit }: Wish,
): Promise<{ lines: TitledLine[]; next: string | null }> {
  const span = await readWithdrawalSpan(db, { id: withdrawalId, sellerId })
  const found = await readSales(db, { sellerId, ...span, after: after ?? null, limit })
  const page = found.slice(0, limit)
  const lines = await withTitles(db, page.flatMap(linesOf))
  return { lines, next: found.length > limit ? (page.at(-1)?.position ?? null) : null }
}

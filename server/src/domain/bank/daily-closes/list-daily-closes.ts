import type { CloseStatus } from "@tilinta/contract/vocabulary/daily-close"
import { noMoney } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { BankBalance } from "./bank-balance.ts"
import { findBankBalances } from "./bank-balances-repository.ts"
import type { CloseDifference, CloseTotals, DailyClose } from "./daily-close.ts"
import { findClose, findTotals, listCloseRows, listDifferenceRows } from "./daily-closes-repository.ts"

export interface ListedClose extends DailyClose {
  status: CloseStatus
  totals: CloseTotals[]
  balance: BankBalance | null
}

/** Newest day first. */
export async function listDailyCloses(
  db: Db,
  range: { offset: number; limit: number },
): Promise<{ closes: ListedClose[]; count: number }> {
  const { closes, count } = await listCloseRows(db, range)
  const totals = await findTotals(
    db,
    closes.map(({ id }) => id),
  )
  const balances = await findBankBalances(
    db,
    closes.map(({ id }) => id),
  )
  return {
    closes: closes.map((close) => listed(close, totals.get(close.id) ?? [], balances.get(close.id) ?? null)),
    count,
  }
}

/** Includes the first differences; an export has all of them. */
export async function getDailyClose(
  db: Db,
  id: string,
  most: number,
): Promise<ListedClose & { differences: CloseDifference[] }> {
  const close = isId(id) ? await findClose(db, id) : null
  if (close === null) throw new DomainError("daily_close_not_found")
  const [totals, differences, balances] = await Promise.all([
    findTotals(db, [id]),
    listDifferenceRows(db, id, most),
    findBankBalances(db, [id]),
  ])
  return { ...listed(close, totals.get(id) ?? [], balances.get(id) ?? null), differences }
}

function listed(close: DailyClose, totals: CloseTotals[], balance: BankBalance | null): ListedClose {
  return { ...close, totals, balance, status: statusOf(close, balance) }
}

/** The earlier result stands until a later comparison replaces it. */
function statusOf(close: DailyClose, balance: BankBalance | null): CloseStatus {
  const { closedAt, comparisons, attempts, lastError, differenceCount } = close
  if (lastError !== null) return "failed"
  if (attempts > 0) return "checking"
  if (differenceCount > 0) return "differences"
  if (closedAt === null || comparisons === 0) return "waiting"
  if (balance === null || balance.differenceCents === noMoney) return "ok"
  return balance.readAgainUntil === null ? "differences" : "checking"
}

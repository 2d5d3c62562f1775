import { idOf } from "#ui/list-search.ts"

interface StatementSearch {
  /** São Paulo calendar month, `YYYY-MM`; without it the present one. */
  month?: string | undefined
  /** The transaction open beside the list. */
  transaction?: string | undefined
  /** The withdrawal open beside the list. */
  withdrawal?: string | undefined
}

export function statementSearch(raw: Record<string, unknown>): StatementSearch {
  const month = typeof raw.month === "string" && /^20\d\d-(0[1-9]|1[0-2])$/.test(raw.month) ? raw.month : undefined
  return { month, transaction: idOf(raw.transaction), withdrawal: idOf(raw.withdrawal) }
}

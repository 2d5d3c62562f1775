import type { Cents } from "@tilinta/contract/vocabulary/money"
import { prepared } from "#db/prepared"
import { textList } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import type { AccountId } from "./accounts.ts"

/**
 * Locks the accounts until the end of the transaction and returns their balances; an account without postings is
 * missing.
 */
export async function lockBalances(tx: Tx, accounts: readonly AccountId[]): Promise<Map<string, Cents>> {
  const { rows } = await prepared<{ id: string; balance: Cents }>("lock-balances")`
    select id, balance_cents as balance from hold_balances(${textList([...new Set(accounts)])})`.execute(tx)
  return new Map(rows.map(({ id, balance }) => [id, balance]))
}

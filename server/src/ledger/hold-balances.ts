import { sql } from "kysely"
import { arrayLiteral } from "#db/array-literal"
import type { Tx } from "#db/transaction"
import type { Cents } from "#kit/money"
import type { AccountId } from "./accounts.ts"

/**
 * Locks the accounts until the end of the transaction and returns their balances; an account without postings is
 * missing.
 */
export async function holdBalances(tx: Tx, accounts: readonly AccountId[]): Promise<Map<string, Cents>> {
  const { rows } = await sql<{ id: string; balance: Cents }>`/* prepared hold-balances */
    select id, balance_cents as balance from hold_balances(${arrayLiteral([...new Set(accounts)])}::text[])`.execute(tx)
  return new Map(rows.map(({ id, balance }) => [id, balance]))
}

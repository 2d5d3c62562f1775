import type { Db } from "#db/transaction"
import { type Cents, noMoney } from "#kit/money"
import type { AccountId } from "./accounts.ts"

/** Zero for an account that no posting has touched yet. */
export async function readBalance(db: Db, account: AccountId): Promise<Cents> {
  const row = await db
    .selectFrom("ledger_accounts")
    .select("balance_cents")
    .where("id", "=", account)
    .executeTakeFirst()
  return row?.balance_cents ?? noMoney
}

/** Of many accounts at once; one that no posting has touched yet is not in it. */
export async function readBalances(db: Db, accounts: AccountId[]): Promise<Map<string, Cents>> {
  if (accounts.length === 0) return new Map()
  const rows = await db
    .selectFrom("ledger_accounts")
    .select(["id", "balance_cents"])
    .where("id", "in", accounts)
    .execute()
  return new Map(rows.map((row) => [row.id, row.balance_cents]))
}

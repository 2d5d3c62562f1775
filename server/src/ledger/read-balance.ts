import type { Db } from "#db/transaction"
import { type Cents, noMoney } from "#kit/money"
import type { AccountId } from "./accounts.ts"

/** Zero for an account without postings. */
export async function readBalance(db: Db, account: AccountId): Promise<Cents> {
  const row = await db
    .selectFrom("ledger_accounts")
    .select("balance_cents")
    .where("id", "=", account)
    .executeTakeFirst()
  return row?.balance_cents ?? noMoney
}

/** Balances of many accounts at once; an account without postings is missing. */
export async function readBalances(db: Db, accounts: AccountId[]): Promise<Map<string, Cents>> {
  if (accounts.length === 0) return new Map()
  const rows = await db
    .selectFrom("ledger_accounts")
    .select(["id", "balance_cents"])
    .where("id", "in", accounts)
    .execute()
  return new Map(rows.map((row) => [row.id, row.balance_cents]))
}

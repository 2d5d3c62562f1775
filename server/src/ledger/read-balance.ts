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

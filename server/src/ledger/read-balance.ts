import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import type { Db } from "#db/transaction"
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

/** The debts of all sellers, zero or less: a floor below zero is a debt. */
export async function readDebts(db: Db): Promise<Cents> {
  const { rows } = await sql<{ cents: Cents }>`
    select coalesce(sum(least(balance_cents, 0)), 0)::bigint as cents from ledger_accounts
    where kind = 'seller-available' and floor_cents < 0`.execute(db)
  return rows[0]?.cents ?? noMoney
}

/** Available balances of many sellers, each found by a short key; a seller without postings is missing. */
export async function readAvailable(db: Db, sellerIds: readonly string[]): Promise<Map<string, Cents>> {
  if (sellerIds.length === 0) return new Map()
  const { rows } = await sql<{ sellerId: string; balanceCents: Cents }>`
    select seller_id as "sellerId", balance_cents as "balanceCents" from ledger_accounts
    where kind = 'seller-available' and seller_id = any(${sellerIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ sellerId, balanceCents }) => [sellerId, balanceCents]))
}

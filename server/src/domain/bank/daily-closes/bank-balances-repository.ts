import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import { type Selectable, sql } from "kysely"
import type { NewRow } from "#db/row-types"
import type { Schema } from "#db/schema"
import type { Db, Tx } from "#db/transaction"
import type { Day } from "#kit/sao-paulo-day"
import type { BankBalance, OurMoney } from "./bank-balance.ts"

const nothing: OurMoney = { clearingCents: noMoney, underWayCents: noMoney }

/** Our account at the provider now. */
export async function readOurMoney(db: Db, provider: string): Promise<OurMoney> {
  const { rows } = await sql<OurMoney>`
    select
      coalesce(-sum(balance_cents) filter (where kind = 'psp-clearing'), 0)::bigint as "clearingCents",
      coalesce(sum(balance_cents) filter (where kind <> 'psp-clearing'), 0)::bigint as "underWayCents"
    from ledger_accounts
    where id in (
      ${`psp-clearing:${provider}`}, ${`payouts-under-way:${provider}`}, ${`refunds-under-way:${provider}`}
    )`.execute(db)
  return rows[0] ?? nothing
}

/** Our account at the provider at the end of a day, by the moment of booking. */
export async function readOurMoneyOn(db: Db, provider: string, day: Day): Promise<OurMoney> {
  const names = ["psp-clearing", "payouts-under-way", "refunds-under-way"].map((kind) => `${kind}:${provider}`)
  const { rows } = await sql<{ account: string; cents: Cents }>`
    select named.account, last.balance_cents as cents
    from unnest(${names}::text[]) named (account)
    cross join lateral (
      select balance_cents from account_days
      where account_days.account = named.account and day <= ${day}::date order by day desc limit 1
    ) last`.execute(db)
  const of = (at: number) => rows.find(({ account }) => account === names[at])?.cents ?? noMoney
  return { clearingCents: subtractCents(noMoney, of(0)), underWayCents: addCents(of(1), of(2)) }
}

export async function saveBankBalance(tx: Tx, closeId: string, balance: BankBalance): Promise<void> {
  const changes = {
    at: balance.at,
    bank_cents: balance.bankCents,
    our_cents: balance.ourCents,
    difference_cents: balance.differenceCents,
    typed_by: balance.typedBy,
    read_again_until: balance.readAgainUntil,
  }
  await tx
    .insertInto("bank_balances")
    .values({ close_id: closeId, ...changes } satisfies NewRow<"bank_balances">)
    .onConflict((conflict) => conflict.column("close_id").doUpdateSet(changes))
    .execute()
}

export async function findBankBalances(db: Db, closeIds: readonly string[]): Promise<Map<string, BankBalance>> {
  if (closeIds.length === 0) return new Map()
  const rows = await db.selectFrom("bank_balances").selectAll().where("close_id", "in", closeIds).execute()
  return new Map(rows.map((row) => [row.close_id, toBalance(row)]))
}

/** Closes whose difference is not final, with their balance. */
export async function listOpenBalances(db: Db): Promise<Map<string, BankBalance>> {
  const rows = await db.selectFrom("bank_balances").selectAll().where("read_again_until", "is not", null).execute()
  return new Map(rows.map((row) => [row.close_id, toBalance(row)]))
}

function toBalance(row: Selectable<Schema["bank_balances"]>): BankBalance {
  return {
    at: row.at,
    bankCents: row.bank_cents,
    ourCents: row.our_cents,
    differenceCents: row.difference_cents,
    typedBy: row.typed_by,
    readAgainUntil: row.read_again_until,
  }
}

import { differenceKindLabels, differenceProblemLabels } from "@tilinta/contract/vocabulary/books"
import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import { type Selectable, sql } from "kysely"
import { labelColumn, momentColumn, moneyColumn, type Table, textColumn, valueColumn } from "#db/exports"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import type { Day } from "#kit/clock"
import type { BankBalance, CloseDifference, CloseTotals, DailyClose, OurMoney } from "./rules.ts"

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

export function differencesForExport(closeId: string): Table {
  return {
    columns: [
      momentColumn("Data", "difference.happened_at"),
      labelColumn("Tipo", "difference.kind", differenceKindLabels),
      labelColumn("Diferença", "difference.problem", differenceProblemLabels),
      valueColumn("Encontrado no fechamento", sql`case when difference.is_mended then 'Sim' else 'Não' end`),
      textColumn("Identificador", "difference.reference"),
      moneyColumn("Valor na plataforma (R$)", "difference.our_cents"),
      moneyColumn("Valor no banco (R$)", "difference.bank_cents"),
      textColumn("Situação na plataforma", "difference.our_state"),
      textColumn("Situação no banco", "difference.bank_state"),
      momentColumn("Encontrada em", "difference.found_at"),
    ],
    source: sql`daily_close_differences difference
      where difference.close_id = ${closeId}::uuid
      order by difference.close_id, difference.kind, difference.reference`,
  }
}

export type Row = Selectable<Schema["daily_closes"]>

export async function findDaysSince(db: Db, provider: string, from: Day): Promise<Set<Day>> {
  const rows = await db
    .selectFrom("daily_closes")
    .select("day")
    .where("provider", "=", provider)
    .where("day", ">=", from)
    .execute()
  return new Set(rows.map(({ day }) => day))
}

export async function findClose(db: Db, id: string): Promise<DailyClose | null> {
  const row = await db.selectFrom("daily_closes").selectAll().where("id", "=", id).executeTakeFirst()
  return row === undefined ? null : toClose(row)
}

export async function countDifferences(db: Db, closeId: string): Promise<{ open: number; mended: number }> {
  const { rows } = await sql<{ open: number; mended: number }>`
    select count(*) filter (where not is_mended) as open, count(*) filter (where is_mended) as mended
    from daily_close_differences where close_id = ${closeId}`.execute(db)
  return rows[0] ?? { open: 0, mended: 0 }
}

/** Newest day first, with the total count. */
export async function listCloseRows(
  db: Db,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ closes: DailyClose[]; count: number }> {
  const [rows, counted] = await Promise.all([
    db
      .selectFrom("daily_closes")
      .selectAll()
      .orderBy("day", "desc")
      .orderBy("provider")
      .limit(limit)
      .offset(offset)
      .execute(),
    db.selectFrom("daily_closes").select(sql<number>`count(*)`.as("count")).executeTakeFirstOrThrow(),
  ])
  return { closes: rows.map(toClose), count: counted.count }
}

export async function findTotals(db: Db, closeIds: string[]): Promise<Map<string, CloseTotals[]>> {
  if (closeIds.length === 0) return new Map()
  const rows = await db.selectFrom("daily_close_totals").selectAll().where("close_id", "in", closeIds).execute()
  return Map.groupBy(
    rows.map((row) => ({
      closeId: row.close_id,
      kind: row.kind,
      ours: { count: row.our_count, amountCents: row.our_cents },
      bank: { count: row.bank_count, amountCents: row.bank_cents },
    })),
    ({ closeId }) => closeId,
  )
}

/** Unresolved differences first, then by time. */
export async function listDifferenceRows(db: Db, closeId: string, limit: number): Promise<CloseDifference[]> {
  const { rows } = await sql<Selectable<Schema["daily_close_differences"]>>`
    select * from daily_close_differences where close_id = ${closeId}
    order by is_mended, happened_at nulls first, kind, reference limit ${limit}`.execute(db)
  return rows.map(toDifference)
}

export async function countOpenDifferences(db: Db, provider: string, from: Day): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select
      coalesce(sum(difference_count), 0)::bigint
        + count(*) filter (where difference_cents <> 0 and read_again_until is null) as count
    from daily_closes left join bank_balances on bank_balances.close_id = daily_closes.id
    where provider = ${provider} and day >= ${from}::date`.execute(db)
  return rows[0]?.count ?? 0
}

function toDifference(row: Selectable<Schema["daily_close_differences"]>): CloseDifference {
  return {
    kind: row.kind,
    reference: row.reference,
    problem: row.problem,
    ourCents: row.our_cents,
    bankCents: row.bank_cents,
    ourState: row.our_state,
    bankState: row.bank_state,
    happenedAt: row.happened_at,
    isMended: row.is_mended,
  }
}

export function toClose(row: Row): DailyClose {
  return {
    id: row.id,
    provider: row.provider,
    day: row.day,
    closedAt: row.closed_at,
    comparisons: row.comparisons,
    attempts: row.attempts,
    lastError: row.last_error,
    differenceCount: row.difference_count,
    mendedCount: row.mended_count,
    nextAttemptAt: row.next_attempt_at,
  }
}

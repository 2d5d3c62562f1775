import { type Selectable, sql, type Updateable } from "kysely"
import type { NewRow } from "#db/row-types"
import type { Schema } from "#db/schema"
import type { Db, Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import type { Day } from "#kit/sao-paulo-day"
import { type CloseDifference, type CloseTotals, type DailyClose, SETTLING_HOURS } from "./daily-close.ts"

type Row = Selectable<Schema["daily_closes"]>

/** A Date header is rounded down, so a close may seem to be seconds ahead of it. */
const TOLERANCE_SECONDS = 10

type Counted = "attempts" | "comparisons" | "difference_count" | "mended_count"

/** Existing days stay as they are. */
export async function insertDaysOnce(
  tx: Tx,
  provider: string,
  days: { day: Day; nextAttemptAt: Date }[],
): Promise<void> {
  if (days.length === 0) return
  await tx
    .insertInto("daily_closes")
    .values(
      days.map(
        ({ day, nextAttemptAt }) =>
          ({
            id: newId(),
            provider,
            day,
            next_attempt_at: nextAttemptAt,
            closed_at: null,
            last_error: null,
            run_id: null,
          }) satisfies NewRow<"daily_closes", Counted>,
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findDaysSince(db: Db, provider: string, from: Day): Promise<Set<Day>> {
  const rows = await db
    .selectFrom("daily_closes")
    .select("day")
    .where("provider", "=", provider)
    .where("day", ">=", from)
    .execute()
  return new Set(rows.map(({ day }) => day))
}

interface Claim {
  provider: string
  runId: string
  now: Date
  leaseUntil: Date
}

/** Leases the oldest due day; other nodes skip it. */
export async function claimDue(tx: Tx, { provider, runId, now, leaseUntil }: Claim): Promise<DailyClose | null> {
  const { rows } = await sql<Row>`
    update daily_closes set next_attempt_at = ${leaseUntil}, run_id = ${runId}, attempts = attempts + 1
    where id in (
      select id from daily_closes
      where provider = ${provider} and next_attempt_at <= ${now}
      order by day limit 1 for update skip locked
    ) returning *`.execute(tx)
  return rows[0] === undefined ? null : toClose(rows[0])
}

/** False when another run has claimed the day. */
export async function extendClaim(tx: Tx, id: string, runId: string, leaseUntil: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("daily_closes")
    .set({ next_attempt_at: leaseUntil })
    .where("id", "=", id)
    .where("run_id", "=", runId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function findClose(db: Db, id: string): Promise<DailyClose | null> {
  const row = await db.selectFrom("daily_closes").selectAll().where("id", "=", id).executeTakeFirst()
  return row === undefined ? null : toClose(row)
}

export async function lockClose(tx: Tx, id: string): Promise<(DailyClose & { runId: string | null }) | null> {
  const row = await tx.selectFrom("daily_closes").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()
  return row === undefined ? null : { ...toClose(row), runId: row.run_id }
}

export async function lockCloseOfDay(tx: Tx, provider: string, day: Day): Promise<DailyClose | null> {
  const row = await tx
    .selectFrom("daily_closes")
    .selectAll()
    .where("provider", "=", provider)
    .where("day", "=", day)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : toClose(row)
}

/** The caller must have locked the row. */
export async function updateClose(
  tx: Tx,
  id: string,
  changes: Omit<Updateable<Schema["daily_closes"]>, "id">,
): Promise<DailyClose> {
  const row = await tx
    .updateTable("daily_closes")
    .set(changes)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toClose(row)
}

/** A comparison that began before the day's end by the bank's clock was none. */
export async function waitForEnd(tx: Tx, { id, runId }: { id: string; runId: string }, until: Date): Promise<void> {
  await sql`
    update daily_closes set next_attempt_at = ${until}, run_id = null, attempts = 0
    where id = ${id} and run_id = ${runId}`.execute(tx)
}

/** A result from the future, or of a day that hasn't ended, is no result: the day is compared again at its end. */
export async function reopenClosedEarly(
  tx: Tx,
  { provider, today, now }: { provider: string; today: Day; now: Date },
): Promise<Day[]> {
  const { rows } = await sql<{ day: Day }>`
    update daily_closes set closed_at = null, comparisons = 0, attempts = 0, last_error = null, run_id = null,
      next_attempt_at = greatest(${now}::timestamptz, ((day + 1)::timestamp at time zone 'America/Sao_Paulo')
        + make_interval(hours => ${SETTLING_HOURS}))
    where provider = ${provider} and closed_at is not null
      and (closed_at > ${secondsAfter(now, TOLERANCE_SECONDS)} or day >= ${today}::date)
    returning day`.execute(tx)
  return rows.map(({ day }) => day)
}

export async function postponeClose(
  tx: Tx,
  { id, runId }: { id: string; runId: string },
  { until, error }: { until: Date; error: string },
): Promise<void> {
  await tx
    .updateTable("daily_closes")
    .set({ next_attempt_at: until, run_id: null, last_error: error })
    .where("id", "=", id)
    .where("run_id", "=", runId)
    .execute()
}

/** False when it was already known. */
export async function insertDifferenceOnce(
  tx: Tx,
  closeId: string,
  difference: CloseDifference,
  now: Date,
): Promise<boolean> {
  const inserted = await tx
    .insertInto("daily_close_differences")
    .values({
      close_id: closeId,
      kind: difference.kind,
      reference: difference.reference,
      problem: difference.problem,
      our_cents: difference.ourCents,
      bank_cents: difference.bankCents,
      our_state: difference.ourState,
      bank_state: difference.bankState,
      happened_at: difference.happenedAt,
      is_mended: difference.isMended,
      found_at: now,
      run_id: null,
    } satisfies NewRow<"daily_close_differences">)
    .onConflict((conflict) => conflict.doNothing())
    .returning("reference")
    .executeTakeFirst()
  return inserted !== undefined
}

type Unreadable = Pick<CloseDifference, "kind" | "reference">

/** The ids of the closes that list the entry as unreadable, locked. */
export async function lockClosesNaming(
  tx: Tx,
  { provider, kind, reference }: Unreadable & { provider: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from daily_closes
    where provider = ${provider} and id in (
      select close_id from daily_close_differences
      where kind = ${kind} and reference = ${reference} and problem = 'unreadable'
    )
    order by id for update`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function markMended(tx: Tx, closeId: string, { kind, reference }: Unreadable): Promise<void> {
  await tx
    .updateTable("daily_close_differences")
    .set({ is_mended: true })
    .where("close_id", "=", closeId)
    .where("kind", "=", kind)
    .where("reference", "=", reference)
    .execute()
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

function toClose(row: Row): DailyClose {
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

import { sql, type Updateable } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Tx } from "#db/transaction"
import { type Day, secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { type Row, toClose } from "./reads.ts"
import { type BankBalance, type CloseDifference, type DailyClose, SETTLING_HOURS } from "./rules.ts"

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

/** Closed days of which a statement told later are compared again. */
export async function reopenByStatements(
  tx: Tx,
  { provider, from, now }: { provider: string; from: Day; now: Date },
): Promise<void> {
  await sql`
    update daily_closes known set next_attempt_at = ${now}
    where provider = ${provider} and day >= ${from}::date and closed_at is not null and attempts = 0
      and day in (
        select debit.day from bank_statements statement
        join bank_debits debit on debit.key = any(statement.debit_keys)
        where statement.imported_at >= ${from}::date and statement.imported_at > known.closed_at
      )`.execute(tx)
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

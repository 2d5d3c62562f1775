import { sql } from "kysely"
import type { PoolClient } from "pg"
import { ledgerCheckLock } from "#db/advisory-locks"
import type { ChangedRow, NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"
import type { LedgerDifference } from "#ledger/verify-ledger"

export interface LedgerCheck {
  id: string
  startedAt: Date
  finishedAt: Date | null
  requestedBy: string | null
  postingCount: number | null
  differenceCount: number | null
  differences: LedgerDifference[] | null
  error: string | null
}

export async function insertCheck(
  tx: Tx,
  { id, startedAt, requestedBy }: { id: string; startedAt: Date; requestedBy: string | null },
): Promise<void> {
  const result = { finished_at: null, posting_count: null, difference_count: null, differences: null, error: null }
  await tx
    .insertInto("ledger_checks")
    .values({ id, started_at: startedAt, requested_by: requestedBy, ...result } satisfies NewRow<"ledger_checks">)
    .execute()
}

interface CheckResult {
  postingCount: number | null
  differenceCount: number | null
  differences: LedgerDifference[] | null
  error: string | null
}

export async function finishCheckRow(tx: Tx, id: string, finishedAt: Date, result: CheckResult): Promise<void> {
  await tx
    .updateTable("ledger_checks")
    .set({
      finished_at: finishedAt,
      posting_count: result.postingCount,
      difference_count: result.differenceCount,
      differences: result.differences === null ? null : JSON.stringify(result.differences),
      error: result.error,
    } satisfies ChangedRow<"ledger_checks", "id" | "started_at" | "requested_by">)
    .where("id", "=", id)
    .execute()
}

function checks(db: Db) {
  return db
    .selectFrom("ledger_checks")
    .leftJoin("users", "users.id", "ledger_checks.requested_by")
    .select([
      "ledger_checks.id",
      "started_at as startedAt",
      "finished_at as finishedAt",
      "users.name as requestedBy",
      "posting_count as postingCount",
      "difference_count as differenceCount",
      "differences",
      "error",
    ])
    .orderBy("started_at", "desc")
    .orderBy("ledger_checks.id", "desc")
    .limit(1)
}

export async function findLatestCheck(db: Db): Promise<LedgerCheck | undefined> {
  return checks(db).executeTakeFirst()
}

/** The last check that completed. */
export async function findLatestResult(db: Db): Promise<LedgerCheck | undefined> {
  return checks(db).where("posting_count", "is not", null).executeTakeFirst()
}

/** Held as long as the connection lives. */
export async function tryToLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query("select pg_try_advisory_lock($1, $2) as taken", [...ledgerCheckLock])
  return rows[0]?.taken === true
}

/** A running check holds the lock, on any node; it ends with the process. */
export async function isLockHeld(db: Db): Promise<boolean> {
  const [key, part] = ledgerCheckLock
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and classid = ${key} and objid = ${part} and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())
    ) as held`.execute(db)
  return rows[0]?.held ?? false
}

import type { ChangedRow, NewRow } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { LedgerDifference } from "#ledger/reads"

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

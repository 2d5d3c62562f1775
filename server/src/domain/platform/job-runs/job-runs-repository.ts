import { sql } from "kysely"
import type { Db, Tx } from "#db/transaction"

/** A job's runs on this node since its last note. */
export interface RecentJobRuns {
  name: string
  everySeconds: number
  lastStartedAt: Date
  lastDurationMs: number
  lastSucceededAt: Date | null
  lastFailedAt: Date | null
  lastError: string | null
  /** Failures since the last success, or since the last note without one. */
  failuresInRow: number
}

/** One statement for any number of jobs; a success on any node resets the failure count. */
export async function upsertJobRuns(tx: Tx, news: RecentJobRuns[]): Promise<void> {
  await sql`
    insert into job_runs (name, every_seconds, last_started_at, last_duration_ms, last_succeeded_at, last_failed_at,
      last_error, failures_in_row)
    select name, "everySeconds", "lastStartedAt", "lastDurationMs", "lastSucceededAt", "lastFailedAt", "lastError",
      "failuresInRow"
    from jsonb_to_recordset(${JSON.stringify(news)}::jsonb) as given
      (name text, "everySeconds" integer, "lastStartedAt" timestamptz, "lastDurationMs" integer,
       "lastSucceededAt" timestamptz, "lastFailedAt" timestamptz, "lastError" text, "failuresInRow" integer)
    order by name
    on conflict (name) do update set
      every_seconds = excluded.every_seconds,
      last_started_at = greatest(job_runs.last_started_at, excluded.last_started_at),
      last_duration_ms = excluded.last_duration_ms,
      last_succeeded_at = greatest(job_runs.last_succeeded_at, excluded.last_succeeded_at),
      last_failed_at = greatest(job_runs.last_failed_at, excluded.last_failed_at),
      last_error = coalesce(excluded.last_error, job_runs.last_error),
      failures_in_row = excluded.failures_in_row
        + case when excluded.last_succeeded_at is null then job_runs.failures_in_row else 0 end`.execute(tx)
}

export async function listJobRunRows(db: Db): Promise<RecentJobRuns[]> {
  return db
    .selectFrom("job_runs")
    .select([
      "name",
      "every_seconds as everySeconds",
      "last_started_at as lastStartedAt",
      "last_duration_ms as lastDurationMs",
      "last_succeeded_at as lastSucceededAt",
      "last_failed_at as lastFailedAt",
      "last_error as lastError",
      "failures_in_row as failuresInRow",
    ])
    .orderBy("name")
    .execute()
}

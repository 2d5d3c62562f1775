import type { MoneyKind } from "@tilinta/contract/vocabulary/system"
import { sql } from "kysely"
import { bigint, date, type NewRow, rowsOf, uuid } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { RecentJobRuns, ServerNode } from "./reads.ts"

/** One statement for any number of jobs; a success on any node resets the failure count. */
export async function upsertJobRuns(tx: Tx, jobRuns: RecentJobRuns[]): Promise<void> {
  await sql`
    insert into job_runs (name, every_seconds, last_started_at, last_duration_ms, last_succeeded_at, last_failed_at,
      last_error, failures_in_row)
    select name, "everySeconds", "lastStartedAt", "lastDurationMs", "lastSucceededAt", "lastFailedAt", "lastError",
      "failuresInRow"
    from jsonb_to_recordset(${JSON.stringify(jobRuns)}::jsonb) as given
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

/** Has no effect when the database already has a kind, whichever. */
export async function insertMoneyKindOnce(tx: Tx, kind: MoneyKind, now: Date): Promise<void> {
  await tx
    .insertInto("money_kind")
    .values({ kind, chosen_at: now } satisfies NewRow<"money_kind">)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Never back, and never where real money is. */
export async function keepAheadMs(tx: Tx, aheadMs: number): Promise<void> {
  await sql`
    insert into sandbox_clock as kept (ahead_ms) select ${aheadMs}::bigint from money_kind where kind = 'sandbox'
    on conflict (is_only) do update set ahead_ms = greatest(kept.ahead_ms, excluded.ahead_ms)`.execute(tx)
}

export async function upsertNode(tx: Tx, node: ServerNode, seenAt: Date): Promise<void> {
  const { id, host, version, startedAt, clockSkewSeconds } = node
  const seen = { seen_at: seenAt, clock_skew_seconds: clockSkewSeconds }
  await tx
    .insertInto("server_nodes")
    .values({ id, host, version, started_at: startedAt, ...seen } satisfies NewRow<"server_nodes">)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(seen))
    .execute()
}

export async function deleteNodesSeenBefore(tx: Tx, moment: Date): Promise<void> {
  await tx.deleteFrom("server_nodes").where("seen_at", "<", moment).execute()
}

export interface Openings {
  sellerId: string
  /** São Paulo calendar day. */
  day: string
  count: number
}

const opened = rowsOf<Openings, NewRow<"page_opening_totals">>("opened", {
  seller_id: uuid(({ sellerId }) => sellerId),
  day: date(({ day }) => day),
  count: bigint(({ count }) => count),
})

export async function addOpenings(tx: Tx, openings: Openings[]): Promise<void> {
  await sql`
    insert into page_opening_totals as total (${opened.columns})
    select ${opened.columns} from ${opened.of(openings)}
    order by seller_id, day
    on conflict (seller_id, day) do update set count = total.count + excluded.count`.execute(tx)
}

/** The keys of all that is sealed, wherever it stands. */
export async function findSealingKeys(db: Db): Promise<string[]> {
  const { rows } = await sql<{ keyId: string }>`
    select key_id as "keyId" from totp_factors
    union
    select key_id from signing_keys
    union
    select key_id from return_origins
    union
    select key_id from push_keys
    union
    select key_id from webhook_endpoints where key_id is not null
    union
    select former_key_id from webhook_endpoints where former_key_id is not null`.execute(db)
  return rows.map(({ keyId }) => keyId)
}

/** Locked, so that a rotation waits for whoever seals with the key. */
export async function lockSealingKey(tx: Tx): Promise<string | undefined> {
  return (await tx.selectFrom("secrets_key").select("key_id").forShare().executeTakeFirst())?.key_id
}

export async function insertSealingKeyOnce(tx: Tx, keyId: string, now: Date): Promise<void> {
  await tx
    .insertInto("secrets_key")
    .values({ key_id: keyId, chosen_at: now } satisfies NewRow<"secrets_key">)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function replaceSealingKey(tx: Tx, keyId: string, now: Date): Promise<void> {
  await tx.updateTable("secrets_key").set({ key_id: keyId, chosen_at: now }).execute()
}

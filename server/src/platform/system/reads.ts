import type { MoneyKind } from "@tilinta/contract/vocabulary/system"
import { sql } from "kysely"
import type { Db } from "#db/transaction"

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

export async function findMoneyKind(db: Db): Promise<MoneyKind | null> {
  return (await db.selectFrom("money_kind").select("kind").executeTakeFirst())?.kind ?? null
}

/** How far the sandbox's days are ahead. */
export async function findAheadMs(db: Db): Promise<number> {
  return (await db.selectFrom("sandbox_clock").select("ahead_ms").executeTakeFirst())?.ahead_ms ?? 0
}

/** When this installation began: its first start chose the kind of its money. Null before. */
export async function findChosenAt(db: Db): Promise<Date | null> {
  return (await db.selectFrom("money_kind").select("chosen_at").executeTakeFirst())?.chosen_at ?? null
}

export interface NodeIdentity {
  id: string
  host: string
  version: string
  startedAt: Date
}

export interface ServerNode extends NodeIdentity {
  /** How far its clock is ahead of the provider's; negative where it is behind, null while unknown. */
  clockSkewSeconds: number | null
}

export async function listNodesSeenSince(db: Db, moment: Date): Promise<ServerNode[]> {
  return db
    .selectFrom("server_nodes")
    .select(["id", "host", "version", "started_at as startedAt", "clock_skew_seconds as clockSkewSeconds"])
    .where("seen_at", ">=", moment)
    .orderBy("started_at")
    .orderBy("id")
    .execute()
}

/** Page views of the seller's pages on these days, both inclusive. */
export async function countOpenings(
  db: Db,
  { sellerId, dayFrom, dayTo }: { sellerId: string; dayFrom: string; dayTo: string },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::bigint as count from page_opening_totals
    where seller_id = ${sellerId} and day between ${dayFrom}::date and ${dayTo}::date`.execute(db)
  return rows[0]?.count ?? 0
}

/** Counts unprocessed messages. Old ones are excluded: they wait for the provider and cost no CPU. */
export async function holdsNewMessages(db: Db, { atLeast, since }: { atLeast: number; since: Date }): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(messages), 0) as count
    from (select cardinality(lengths) as messages from psp_inbox where processed_at is null and received_at > ${since} limit ${atLeast}) waiting`.execute(
    db,
  )
  return (rows[0]?.count ?? 0) >= atLeast
}

import { sql } from "kysely"
import type { Db } from "./transaction.ts"

interface Replica {
  name: string
  /** Null where this login may not see it; `streaming` when all is well. */
  state: string | null
  isSynchronous: boolean
  behindBytes: number | null
  lagSeconds: number | null
}

export interface DatabaseFacts {
  sizeBytes: number
  /** The number of the newest applied migration. */
  migration: string
  /** PostgreSQL's own. */
  version: string
  replicas: Replica[]
}

export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<Omit<DatabaseFacts, "replicas">>`
    select pg_database_size(current_database())::bigint as "sizeBytes",
      current_setting('server_version') as version,
      (select max(version)::text from schema_migrations) as migration`.execute(db)
  const facts = rows[0] ?? { sizeBytes: 0, migration: "", version: "" }
  return { ...facts, replicas: await readReplicas(db) }
}

/** Without the role pg_monitor PostgreSQL shows only that a replica is there. */
async function readReplicas(db: Db): Promise<Replica[]> {
  const { rows } = await sql<Replica>`
    select coalesce(nullif(application_name, ''), 'réplica ' || row_number() over (order by pid)) as name,
      state, coalesce(sync_state in ('sync', 'quorum'), false) as "isSynchronous",
      case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint end as "behindBytes",
      extract(epoch from replay_lag)::float8 as "lagSeconds"
    from pg_stat_replication order by name`.execute(db)
  return rows
}

import { sql } from "kysely"
import type { Db } from "./transaction.ts"

export interface DatabaseFacts {
  sizeBytes: number
  /** The number of the newest applied migration. */
  migration: string
}

export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select pg_database_size(current_database())::bigint as "sizeBytes",
      (select max(version)::text from schema_migrations) as migration`.execute(db)
  return rows[0] ?? { sizeBytes: 0, migration: "" }
}

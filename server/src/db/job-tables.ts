import { runMigrations } from "graphile-worker"
import pg from "pg"
import { appRole } from "./app-role.ts"

const schema = "graphile_worker"

/** The queue's own tables, and their use by the role that serves requests. */
export async function migrateJobs(session: pg.Client, ownerUrl: string): Promise<void> {
  await runWorkerMigrations(ownerUrl)
  await session.query(`
    GRANT USAGE ON SCHEMA ${schema} TO ${appRole};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${appRole};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${appRole};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO ${appRole};
    REVOKE INSERT, UPDATE, DELETE ON ${schema}.migrations FROM ${appRole};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${appRole};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE ON SEQUENCES TO ${appRole};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT EXECUTE ON FUNCTIONS TO ${appRole};
  `)
  await openRows(session)
}

async function runWorkerMigrations(ownerUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2, application_name: "tilinta-migrate" })
  pool.on("error", () => undefined)
  pool.on("connect", (client) => client.on("error", () => undefined))
  await runMigrations({ pgPool: pool }).finally(() => pool.end())
}

/** The queue's tables have row level security and no policy: without one nobody but their owner sees a row. */
async function openRows(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ table: string }>(
    `SELECT format('%I.%I', $1::text, relname) AS table
       FROM pg_class
      WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND relrowsecurity
        AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid AND polname = $2)`,
    [schema, appRole],
  )
  for (const { table } of rows) {
    await session.query(`CREATE POLICY ${appRole} ON ${table} FOR ALL TO ${appRole} USING (true) WITH CHECK (true)`)
  }
}

import { randomBytes } from "node:crypto"
import pg from "pg"
import { inject } from "vitest"
import type { DatabaseRoute } from "#db/database-route"
import { createPool } from "#db/pool"
import { openPooledRoutes } from "#db/pooled-routes"
import { openServingRoute } from "#db/serving-login"
import { createDb, type SoleDb } from "#db/transaction"
import { createLog } from "#kit/log"
import { ownerUrlOfRun } from "./owner-url.ts"

export type TestDatabase = {
  /** The owner's address, for start-up work and for statements that the serving role may not run. */
  url: string
  /** Connections with the server's own role and settings. */
  pool: pg.Pool
  db: SoleDb
  drop(): Promise<void>
}

/** A fresh copy of the migrated schema, for one test file or one test. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(5).toString("hex")}`
  await copyTemplate(name)
  const addressOn = (server: string) => Object.assign(new URL(server), { pathname: `/${name}` }).toString()
  const url = addressOn(ownerUrlOfRun())
  const pooler = inject("testPooler")
  const isShared = pooler?.mode === "transaction"
  const route = isShared ? await pooledRoute(url, addressOn(pooler.url)) : url
  // A long timeout: tests open hundreds of connections at once on purpose, and a busy machine must not decide which
  // succeed.
  const pool = createPool({ url: route, max: 8, applicationName: "tilinta-test", connectionMs: 60_000 })

  async function drop(): Promise<void> {
    await pool.end()
    await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }

  let dropped: Promise<void> | undefined
  return { url, pool, db: createDb(pool), drop: () => (dropped ??= drop()) }
}

/** The way of a server's requests, with the logins that it makes. */
async function pooledRoute(ownerUrl: string, poolerUrl: string): Promise<DatabaseRoute> {
  const log = createLog("silent")
  const direct = await openServingRoute({ ownerUrl, log })
  return (await openPooledRoutes({ ownerUrl, poolerUrl, direct, log })).requests
}

/** A clone shares the template's blocks and takes a tenth of the time, where the file system supports it. */
async function copyTemplate(name: string): Promise<void> {
  const copy = `CREATE DATABASE ${name} TEMPLATE tilinta_template`
  await administer("SET file_copy_method = clone", `${copy} STRATEGY file_copy`).catch(() => administer(copy))
}

async function administer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: inject("testPostgresUrl") })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

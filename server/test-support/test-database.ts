import { randomBytes } from "node:crypto"
import pg from "pg"
import { inject } from "vitest"
import { createPool } from "#db/pools"
import { createDb, type SoleDb } from "#db/transaction"

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
  const url = Object.assign(new URL(inject("testOwnerUrl")), { pathname: `/${name}` }).toString()
  // A long timeout: tests open hundreds of connections at once on purpose, and a busy machine must not decide which
  // succeed.
  const pool = createPool({ url, max: 8, applicationName: "tilinta-test", connectionMs: 60_000 })

  async function drop(): Promise<void> {
    await pool.end()
    await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }

  let dropped: Promise<void> | undefined
  return { url, pool, db: createDb(pool), drop: () => (dropped ??= drop()) }
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

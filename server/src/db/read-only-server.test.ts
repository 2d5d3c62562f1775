import { sql } from "kysely"
import type pg from "pg"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { asOwner } from "../../test-support/as-owner.ts"
import { createTestDatabase, type TestDatabase } from "../../test-support/test-database.ts"
import { isDatabaseDown, isReadOnly } from "./database-down.ts"
import { createPool } from "./pools.ts"
import { type DatabaseRoute, openRoute } from "./route.ts"
import { createDb } from "./transaction.ts"
import { createWriteProbe } from "./watch-sessions.ts"

const log = createLog("silent")

let database: TestDatabase
let route: DatabaseRoute
let pools: pg.Pool[]

beforeEach(async () => {
  database = await createTestDatabase()
  route = openRoute(database.url)
  pools = ["one", "two"].map((name) => createPool({ url: route, max: 3, applicationName: name, log }))
})

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await database.drop()
})

const write = (pool: pg.Pool) => createWriteProbe(createDb(pool))()
const pidOf = async (pool: pg.Pool) =>
  (await pool.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid

/** As after a failover that leaves the sessions of the former primary open. */
async function demoteOpenSessions(pool: pg.Pool, count: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()))
  for (const client of clients) await client.query("set default_transaction_read_only = on")
  for (const client of clients) client.release()
}

async function failureOf(attempt: Promise<unknown>): Promise<unknown> {
  return attempt.then(
    () => null,
    (error: unknown) => error,
  )
}

test("one refused write throws away every connection of the process, and the next writes succeed", async () => {
  const [one, two] = pools as [pg.Pool, pg.Pool]
  await demoteOpenSessions(one, 3)
  await demoteOpenSessions(two, 3)

  const failure = await failureOf(write(one))
  expect([isReadOnly(failure), isDatabaseDown(failure)]).toEqual([true, true])
  for (const pool of [one, two, one, two]) await write(pool)
  expect([one.idleCount, two.idleCount]).toEqual([1, 1])
})

test("a connection in use when the route is renewed finishes its transaction, and is not used again", async () => {
  const [one] = pools as [pg.Pool]
  const busy = await one.connect()
  const former = (await busy.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid
  await busy.query("begin")
  route.renew()
  await busy.query("update write_probes set probed_at = now()")
  await busy.query("commit")
  busy.release()
  expect(await pidOf(one)).not.toBe(former)
})

test("a transaction that is refused in its middle is rolled back, and its connection thrown away", async () => {
  const [one] = pools as [pg.Pool]
  await demoteOpenSessions(one, 1)
  const db = createDb(one)
  const failure = await failureOf(
    db.transaction().execute((tx) => sql`update write_probes set probed_at = now()`.execute(tx)),
  )
  expect(isReadOnly(failure)).toBe(true)
  await db.transaction().execute((tx) => sql`update write_probes set probed_at = now()`.execute(tx))
})

test("no connection is opened to a server that takes no writes; once it does, all is well at once", async () => {
  const [one] = pools as [pg.Pool]
  const name = new URL(database.url).pathname.slice(1)
  await asOwner(database, `alter database ${name} set default_transaction_read_only = on`)
  const failures = await Promise.all([write(one), one.query("select 1")].map(failureOf))
  expect(failures.map(isReadOnly)).toEqual([true, true])
  expect(one.totalCount).toBe(0)
  await asOwner(database, "set default_transaction_read_only = off", `alter database ${name} reset all`)
  await write(one)
})

import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sql } from "kysely"
import pg from "pg"
import { afterAll, afterEach, expect, test } from "vitest"
import { createEvents } from "#events/events"
import { createLog } from "#kit/log"
import { watchOver } from "../../test-support/postgres-watchdog.ts"
import { isDatabaseDown } from "./database-down.ts"
import { startEmbeddedPostgres } from "./embedded-postgres.ts"
import { migrate } from "./migrate.ts"
import { createPool } from "./pools.ts"
import { openRoute } from "./route.ts"
import { createDb } from "./transaction.ts"
import { createWriteProbe } from "./watch-sessions.ts"

const log = createLog("silent")

// A PostgreSQL of its own, because these settings hold for all of its databases.
const dataDir = await mkdtemp(join(tmpdir(), "tilinta-demoted-"))
const watchdog = watchOver(dataDir)
const postgres = await startEmbeddedPostgres({ dataDir, log, isDurable: false })
await migrate({ ownerUrl: postgres.url, log })
const owner = new pg.Client({ connectionString: postgres.url })
await owner.connect()

afterEach(() => set())

afterAll(async () => {
  await owner.end()
  await postgres.stop()
  watchdog.release()
})

/** Also reaches the sessions that are open. */
async function set(...settings: string[]): Promise<void> {
  await owner.query("set default_transaction_read_only = off")
  await owner.query("alter system reset all")
  for (const setting of settings) await owner.query(`alter system set ${setting}`)
  await owner.query("select pg_reload_conf()")
}

async function eventPids(): Promise<number[]> {
  const { rows } = await owner.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'tilinta events'",
  )
  return rows.map(({ pid }) => pid)
}

test("the event connection notices within seconds that its server was demoted, and listens anew", async () => {
  const route = openRoute(postgres.url)
  let renewals = 0
  route.onRenew(() => {
    renewals += 1
  })
  const events = createEvents({ url: route, log })
  try {
    await expect.poll(eventPids).toHaveLength(1)
    const [former] = await eventPids()
    await set("default_transaction_read_only = on")
    await expect.poll(() => renewals).toBe(1)
    // The server's side of a connection that was thrown away ends a moment later.
    await expect.poll(eventPids).not.toContain(former)
    await set()
    await expect.poll(eventPids).toHaveLength(1)
  } finally {
    await events.stop()
  }
})

test("a server that turned read-only fails the write probe, not the reads, and passes it once it writes again", async () => {
  const pool = createPool({ url: postgres.url, max: 1, applicationName: "probing", log })
  const probe = createWriteProbe(createDb(pool))
  try {
    await pool.query("select 1")
    await set("default_transaction_read_only = on")
    await expect
      .poll(async () => (await pool.query("show transaction_read_only")).rows)
      .toEqual([{ transaction_read_only: "on" }])
    await expect(probe()).rejects.toMatchObject({ code: "25006" })
    await set()
    await expect.poll(() => probe().then(() => "written", String)).toBe("written")
  } finally {
    await pool.end()
  }
})

/** As an administrator does, or a shutdown: PostgreSQL's own timeouts don't end this wait. */
async function cancelWaits(): Promise<number> {
  const { rowCount } = await owner.query(
    "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'committing'",
  )
  return rowCount ?? 0
}

test("a commit whose wait for the standby was cancelled has an unknown outcome, and is not done", async () => {
  const pool = createPool({ url: postgres.url, max: 2, applicationName: "committing" })
  const db = createDb(pool)
  const touch = sql`update write_probes set probed_at = now() where is_only`
  await set("synchronous_standby_names = 'nobody'")
  await expect
    .poll(async () => (await owner.query("show synchronous_standby_names")).rows)
    .toEqual([{ synchronous_standby_names: "nobody" }])
  const outcomes: Promise<unknown>[] = [
    db.transaction().execute((tx) => touch.execute(tx)),
    touch.execute(db),
    pool.query("update write_probes set probed_at = now() where is_only"),
  ].map((writing) => writing.catch((error: unknown) => error))
  try {
    let cancelled = 0
    await expect.poll(async () => (cancelled += await cancelWaits())).toBe(3)
    for (const failure of await Promise.all(outcomes)) {
      expect(failure).toMatchObject({ code: "08007" })
      expect(isDatabaseDown(failure)).toBe(true)
    }
    await set()
    await expect.poll(() => createWriteProbe(db)().then(() => "written", String)).toBe("written")
    const { rows } = await db.transaction().execute((tx) => sql`select 1 as one`.execute(tx))
    expect(rows).toEqual([{ one: 1 }])
  } finally {
    await pool.end()
  }
})

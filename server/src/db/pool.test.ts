import { connect, createServer, type Socket } from "node:net"
import { sql } from "kysely"
import pg from "pg"
import { afterAll, expect, test, vi } from "vitest"
import { inRequest } from "#kit/request-scope"
import { usualDeadlines } from "#kit/waiting-line"
import { createTestDatabase } from "../../test-support/test-database.ts"
import { isDatabaseDown } from "./database-down.ts"
import { createPool, withDeadline } from "./pools.ts"
import { textList } from "./rows-of.ts"
import { createDb } from "./transaction.ts"

const limits = { mostWaiting: 2, deadlines: usualDeadlines }

const database = await createTestDatabase()

afterAll(() => database.drop())

async function valueOf(sql: string): Promise<unknown> {
  const { rows } = await database.pool.query<{ value: unknown }>(`SELECT ${sql} AS value`)
  return rows[0]?.value
}

test.each([
  ["current_user::text", "tilinta_app"],
  ["current_setting('statement_timeout')", "30s"],
  ["current_setting('idle_in_transaction_session_timeout')", "15s"],
  ["current_setting('lock_timeout')", "10s"],
  ["current_setting('application_name')", "tilinta-test"],
])("a connection has %s = %s", async (sql, expected) => {
  expect(await valueOf(sql)).toBe(expected)
})

test.each([
  ["9007199254740991::bigint", 9_007_199_254_740_991],
  ["-9007199254740991::bigint", -9_007_199_254_740_991],
  ["ARRAY[1, NULL, -3]::bigint[]", [1, null, -3]],
  ["'{}'::bigint[]", []],
  ["7::int", 7],
  ["'2026-02-28'::date", "2026-02-28"],
  ["'2026-02-28T12:00:00-03:00'::timestamptz", new Date("2026-02-28T15:00:00Z")],
  ["'{\"a\": [1]}'::jsonb", { a: [1] }],
  ["NULL::bigint", null],
])("%s is read exactly", async (sql, expected) => {
  expect(await valueOf(sql)).toEqual(expected)
})

test("an operator's own PostgreSQL compiles none of our statements, though it would by default", async () => {
  await database.pool.query(`
    set role none;
    do $$ begin execute format('alter database %I set jit = on', current_database()); end $$;
    reset role`)
  const pool = createPool({ url: database.url, max: 1, applicationName: "tilinta-test compiling" })
  expect((await pool.query("show jit")).rows).toEqual([{ jit: "off" }])
  await pool.end()
})

test("a connection that PostgreSQL ends during a statement is not given to the next caller", async () => {
  const pool = createPool({ url: database.url, max: 1, applicationName: "tilinta-test ended" })
  const db = createDb(pool)
  await sql`set role none`.execute(db)
  await expect(sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)).rejects.toThrow("terminating connection")
  expect((await sql<{ value: number }>`select 7 as value`.execute(db)).rows).toEqual([{ value: 7 }])
  await pool.end()
})

test("a bigint that no number can hold is refused rather than rounded", async () => {
  await expect(valueOf("9007199254740992::bigint")).rejects.toThrow("does not fit")
  expect(await valueOf("1::bigint")).toBe(1)
})

test("texts that go as one array arrive as they are", async () => {
  const texts = [
    "a:b-c.d",
    "null",
    "NULL",
    "",
    " ",
    '{"a":"b\\\\\\n"}',
    "a\nb\tc\u0001",
    "{},",
    "ç 🎉 \u2028\u0085",
    "\\",
    '"',
  ]
  const { rows } = await database.pool.query<{ value: unknown }>("select $1::text[] as value", [
    ...textList(texts).values,
  ])
  expect(rows).toEqual([{ value: texts }])
  const lone = await database.pool.query("select $1::text[] as value", [...textList(["a\ud800"]).values])
  expect(lone.rows).toEqual([{ value: ["a\ufffd"] }])
})

test("the role that serves requests cannot change the schema", async () => {
  await expect(database.pool.query("CREATE TABLE intruder (id int)")).rejects.toMatchObject({ code: "42501" })
})

test("options inside the address do not take the role away", async () => {
  const address = new URL(database.url)
  address.searchParams.set("options", "-c work_mem=8MB")
  const pool = createPool({ url: address.toString(), max: 1, applicationName: "x" })
  const { rows } = await pool.query("SELECT current_user::text AS me, current_setting('work_mem') AS memory")
  await pool.end()
  expect(rows).toEqual([{ me: "tilinta_app", memory: "8MB" }])
})

test("connections that the database ends do not end the process, and the pool goes on", async () => {
  const pool = createPool({ url: database.url, max: 2, applicationName: "doomed" })
  const busy = await pool.connect()
  await Promise.all([busy.query("SELECT 1"), pool.query("SELECT 1")])

  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  await owner.query("SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity WHERE application_name = 'doomed'")
  await owner.end()

  const failure = await busy.query("SELECT 1").then(
    () => null,
    (error: unknown) => error,
  )
  busy.release(true)
  expect(isDatabaseDown(failure)).toBe(true)
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }])
  await pool.end()
})

/** A relay in front of the database that can stop forwarding, like a failing network. */
async function openRelay(): Promise<{ url: string; freeze(): void; close(): void }> {
  const address = new URL(database.url)
  const port = Number(address.port)
  const sockets: Socket[] = []
  const relay = createServer((near) => {
    const far = connect(port, address.hostname)
    for (const socket of [near, far]) sockets.push(socket.on("error", () => undefined))
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve))
  address.port = String((relay.address() as { port: number }).port)
  return {
    url: address.toString(),
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause()
    },
    close: () => {
      relay.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

test("a database that falls silent is given up, and asked again over a new connection", async () => {
  const relay = await openRelay()
  const pool = createPool({ url: relay.url, max: 1, applicationName: "x", silenceMs: 500 })
  try {
    await pool.query("SELECT 1")
    relay.freeze()
    const failure = await pool.query("SELECT 2").catch((error: unknown) => error)
    expect(isDatabaseDown(failure)).toBe(true)
    expect((await pool.query("SELECT 3 AS value")).rows).toEqual([{ value: 3 }])
  } finally {
    await pool.end()
    relay.close()
  }
})

test("beyond the queue's limit callers are refused at once, the others get a connection in order", async () => {
  const real = createPool({ url: database.url, max: 1, applicationName: "x" })
  const { pool, queue } = withDeadline(real, limits)
  const db = createDb(pool)
  const ask = () => sql<{ me: number }>`select 1 as me`.execute(db).then(({ rows }) => rows)
  const holder = await pool.connect()
  expect(queue.standsMs()).toBe(0)
  const waiting = [ask(), ask()]
  await expect.poll(() => queue.standsMs()).toBeGreaterThan(0)
  await expect(ask()).rejects.toMatchObject({ code: "overloaded", retryAfterSeconds: 1 })
  holder.release()
  expect(await Promise.all(waiting)).toEqual([[{ me: 1 }], [{ me: 1 }]])
  expect([await ask(), queue.standsMs()]).toEqual([[{ me: 1 }], 0])
  await real.end()
})

test("a caller who gets no connection within a second is refused, and none is lost by it", async () => {
  const real = createPool({ url: database.url, max: 1, applicationName: "x" })
  const { pool } = withDeadline(real, limits)
  const holder = await pool.connect()
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  try {
    const late = Promise.allSettled([pool.connect()])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await late).toMatchObject([{ reason: { code: "overloaded", retryAfterSeconds: 1 } }])
  } finally {
    vi.useRealTimers()
  }
  holder.release()
  const next = await pool.connect()
  next.release()
  await real.end()
})

test("a request that has had a connection is never refused its next one, because part of its work may be done", async () => {
  const real = createPool({ url: database.url, max: 1, applicationName: "x" })
  const { pool } = withDeadline(real, limits)
  await inRequest({}, async () => {
    const first = await pool.connect()
    first.release()
    const holder = await inRequest({}, () => pool.connect())
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
    const next = pool.connect()
    await vi.advanceTimersByTimeAsync(1_500)
    vi.useRealTimers()
    holder.release()
    const second = await next
    second.release()
    expect(real.waitingCount).toBe(0)
  })
  await real.end()
})

test("a connection that can't be opened leaves its place to the next caller", async () => {
  const real = createPool({ url: "postgres://nobody:x@127.0.0.1:9/none", max: 1, applicationName: "x" })
  const { pool } = withDeadline(real, limits)
  for (const _try of [1, 2]) await expect(pool.connect()).rejects.toMatchObject({ code: "ECONNREFUSED" })
  await real.end()
})

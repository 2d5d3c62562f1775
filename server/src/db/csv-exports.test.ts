import { once } from "node:events"
import { buffer } from "node:stream/consumers"
import { assert, asyncProperty, string } from "fast-check"
import { type RawBuilder, sql } from "kysely"
import pg from "pg"
import { afterAll, describe, expect, test, vi } from "vitest"
import { parseCsv } from "../../test-support/parse-csv.ts"
import { createTestDatabase } from "../../test-support/test-database.ts"
import { createCsvExports } from "./csv.ts"

const database = await createTestDatabase()
const owner = new pg.Client({ connectionString: database.url })
await owner.connect()
const csvExports = createCsvExports({ url: database.url, max: 2 })

afterAll(async () => {
  await csvExports.stop()
  await owner.end()
  await database.drop()
})

const textOf = async (query: RawBuilder<unknown>) => (await buffer(await csvExports.open(query))).toString()
const rowsOf = async (query: RawBuilder<unknown>) => parseCsv(await textOf(query))

/** State of the exports' backends, as only the owner may read it; each call queries again. */
async function backends(): Promise<{ state: string; wait_event: string | null }[]> {
  const { rows } = await owner.query<{ state: string; wait_event: string | null }>(
    `select state, wait_event from pg_stat_activity
     where datname = current_database() and application_name = 'tilinta exports'`,
  )
  return rows
}

const eventually = (assertion: () => Promise<void>) => vi.waitFor(assertion, { timeout: 20_000, interval: 50 })

describe("values in the query", () => {
  const attacks = [
    "'; drop table users; --",
    "\\'; drop table users; --",
    "' or '1' = '1",
    "$1",
    "$$ || $$",
    "E'\\x27'",
    "{a,b}",
    '"',
    '\\"',
    "a\nb\r\nc;d",
    "",
  ]

  test.for(attacks)("%j is a value, alone and in a list", async (attack) => {
    const query = sql`select ${attack}::text as one, (${["x", attack]}::text[])[2] as two, length(${attack}) as length`
    expect(await rowsOf(query)).toEqual([{ one: attack, two: attack, length: String(attack.length) }])
  })

  test("any text is a value", async () => {
    const storable = string({ unit: "binary", maxLength: 30 }).filter((value) => !value.includes("\0"))
    const isValue = async (value: string) => {
      expect(await rowsOf(sql`select ${value}::text as one, (${[value]}::text[])[1] as two`)).toEqual([
        { one: value, two: value },
      ])
    }
    await assert(asyncProperty(storable, isValue), { numRuns: 60 })
  })

  test("numbers, moments and nothing have the type that the query gives them", async () => {
    const at = new Date("2026-11-21T12:00:00.123Z")
    expect(
      await rowsOf(
        sql`select 5 -${-1}::int as sum, ${at}::timestamptz = ${at.toISOString()} as same, ${null}::text as none`,
      ),
    ).toEqual([{ sum: "6", same: "t", none: "" }])
  })

  test("what can't be a value is refused", async () => {
    await expect(csvExports.open(sql`select ${"a\0b"}`)).rejects.toThrow("NUL")
    await expect(csvExports.open(sql`select ${{ a: 1 }}`)).rejects.toThrow("object")
  })
})

test("an export changes nothing, whatever its query says", async () => {
  const writing = sql`insert into settings (key, value, type, category) values ('x', '1', 'number', 'general') returning key`
  await expect(rowsOf(writing)).rejects.toMatchObject({ code: "25006" })
  expect(await rowsOf(sql`select current_user as me`)).toEqual([{ me: "tilinta_app" }])
})

test("no rows: only the header", async () => {
  expect(await textOf(sql`select 1 as "Número" where false`)).toBe("\ufeffNúmero\r\n")
})

describe("an export whose client stops reading", () => {
  const endless = sql`select generate_series(1, 1000000000) as n, repeat('x', 200) as filling`

  test("waits for its reader", async () => {
    const file = await csvExports.open(endless)
    await once(file, "readable")
    await eventually(async () =>
      expect(await backends()).toContainEqual({ state: "active", wait_event: "ClientWrite" }),
    )
    expect(file.readableLength).toBeLessThan(1_000_000)
    file.destroy()
    await eventually(async () => expect(await backends()).toEqual([]))
  })

  test("ends when its reader leaves, also one that finds nothing", async () => {
    const file = await csvExports.open(sql`select pg_sleep(600)`)
    await eventually(async () => expect(await backends()).toContainEqual({ state: "active", wait_event: "PgSleep" }))
    file.destroy()
    await eventually(async () => expect(await backends()).toEqual([]))
    expect(await rowsOf(sql`select 1 as one`)).toEqual([{ one: "1" }])
  })

  test("more of them than there are connections", async () => {
    for (let round = 0; round < 4; round += 1) {
      const files = await Promise.all([csvExports.open(endless), csvExports.open(endless)])
      await Promise.all(files.map((file) => once(file, "readable")))
      for (const file of files) file.destroy()
    }
    await eventually(async () => expect(await backends()).toEqual([]))
  })
})

test("a failure in the middle is a failure, not an end", async () => {
  const failing = sql`
    select 1 / (200000 - n) as x, repeat('x', 50) as filling from (select generate_series(1, 1000000) as n) numbers`
  const file = await csvExports.open(failing)
  let bytes = 0
  const read = async () => {
    for await (const chunk of file) bytes += (chunk as Buffer).length
  }
  await expect(read()).rejects.toMatchObject({ code: "22012" })
  expect(bytes).toBeGreaterThan(1_000_000)
  expect(await rowsOf(sql`select 1 as one`)).toEqual([{ one: "1" }])
})

import { once } from "node:events"
import { buffer } from "node:stream/consumers"
import { assert, asyncProperty, string } from "fast-check"
import { type RawBuilder, sql } from "kysely"
import pg from "pg"
import { afterAll, describe, expect, test, vi } from "vitest"
import { parseCsv } from "../../test-support/parse-csv.ts"
import { readXlsx } from "../../test-support/read-xlsx.ts"
import { createTestDatabase } from "../../test-support/test-database.ts"
import { createTableExports, momentColumn, moneyColumn, type Table, textColumn, valueColumn } from "./exports.ts"

const database = await createTestDatabase()
const owner = new pg.Client({ connectionString: database.url })
await owner.connect()
const tableExports = createTableExports({ url: database.url, max: 2 })

afterAll(async () => {
  await tableExports.stop()
  await owner.end()
  await database.drop()
})

const textOf = async (query: RawBuilder<unknown>) => (await buffer(await tableExports.open(query))).toString()
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
    await expect(tableExports.open(sql`select ${"a\0b"}`)).rejects.toThrow("NUL")
    await expect(tableExports.open(sql`select ${{ a: 1 }}`)).rejects.toThrow("object")
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
    const file = await tableExports.open(endless)
    await once(file, "readable")
    await eventually(async () =>
      expect(await backends()).toContainEqual({ state: "active", wait_event: "ClientWrite" }),
    )
    expect(file.readableLength).toBeLessThan(1_000_000)
    file.destroy()
    await eventually(async () => expect(await backends()).toEqual([]))
  })

  test("ends when its reader leaves, also one that finds nothing", async () => {
    const file = await tableExports.open(sql`select pg_sleep(600)`)
    await eventually(async () => expect(await backends()).toContainEqual({ state: "active", wait_event: "PgSleep" }))
    file.destroy()
    await eventually(async () => expect(await backends()).toEqual([]))
    expect(await rowsOf(sql`select 1 as one`)).toEqual([{ one: "1" }])
  })

  test("more of them than there are connections", async () => {
    for (let round = 0; round < 4; round += 1) {
      const files = await Promise.all([tableExports.open(endless), tableExports.open(endless)])
      await Promise.all(files.map((file) => once(file, "readable")))
      for (const file of files) file.destroy()
    }
    await eventually(async () => expect(await backends()).toEqual([]))
  })
})

test("a failure in the middle is a failure, not an end", async () => {
  const failing = sql`
    select 1 / (200000 - n) as x, repeat('x', 50) as filling from (select generate_series(1, 1000000) as n) numbers`
  const file = await tableExports.open(failing)
  let bytes = 0
  const read = async () => {
    for await (const chunk of file) bytes += (chunk as Buffer).length
  }
  await expect(read()).rejects.toMatchObject({ code: "22012" })
  expect(bytes).toBeGreaterThan(1_000_000)
  expect(await rowsOf(sql`select 1 as one`)).toEqual([{ one: "1" }])
})

describe("a workbook", () => {
  const bookOf = async (table: Table) => readXlsx(await buffer(await tableExports.openXlsx(table)))

  // A spreadsheet that reads them from CSV makes numbers, days, formulas or other letters of them.
  const texts = [
    ...["000123", "20261127000000000001", "03/04", "12E5", "1,5", "1.5", "0x1F", "TRUE", "#N/D", "11/2026", "1:30"],
    ...[
      "=1+1",
      "+5511987654321",
      "-1",
      "@x",
      "'000",
      "\t7",
      " 7 ",
      "a\nb",
      "a\r\nb",
      '"',
      "<b>&amp;",
      "_x0041_",
      "_x005F_",
    ],
    ...["ação 🎉", "\u0001", "\ufffe", "a;b", "ª"],
  ]

  test("gives every text back letter by letter", async () => {
    const table = {
      columns: [textColumn("Referência", "named.reference"), valueColumn("Linha", "named.n")],
      source: sql`unnest(${texts}::text[]) with ordinality named (reference, n) order by named.n`,
    }
    const rows = await bookOf(table)
    expect(rows.map((row) => row["Referência"])).toEqual(
      texts.map((text) => text.replace("\ufffe", "\ufffd").replace("\r\n", "\n")),
    )
    expect(rows.map((row) => row["Linha"])).toEqual(texts.map((_, at) => at + 1))
  })

  test("has amounts as numbers, moments as São Paulo's dates, and nothing for nothing", async () => {
    const table = {
      columns: [
        moneyColumn("Valor", "row.cents"),
        momentColumn("Data", "row.at"),
        textColumn("Nome", "row.name"),
        valueColumn("Conta", "row.flag"),
      ],
      source: sql`(values (123456::bigint, timestamptz '2026-11-01T02:05:59Z', '', true), (1, null, null, false),
        (999999999999, '2026-03-01T03:00:00Z', 'Ana', null)) row (cents, at, name, flag)`,
    }
    expect(await bookOf(table)).toEqual([
      { Valor: 1234.56, Data: "2026-10-31 23:05:59", Conta: "VERDADEIRO" },
      { Valor: 0.01, Conta: "FALSO" },
      { Valor: 9_999_999_999.99, Data: "2026-03-01 00:00:00", Nome: "Ana" },
    ])
  })

  test("of nothing has its heads, and of many rows has all", async () => {
    const many = (source: RawBuilder<unknown>) => ({
      columns: [valueColumn("N", "n"), textColumn("T", sql`n::text`)],
      source,
    })
    expect(await bookOf(many(sql`generate_series(1, 0) n`))).toEqual([])
    const rows = await bookOf(many(sql`generate_series(1, 20000) n`))
    expect(rows.map((row) => row["T"])).toEqual(Array.from({ length: 20_000 }, (_, at) => String(at + 1)))
  })

  test("ends its query when its reader leaves, also one that finds nothing", async () => {
    const sleeping = { columns: [valueColumn("N", sql`1`)], source: sql`pg_sleep(600)` }
    // Nothing that compresses well, so that the reader's buffer fills soon.
    const endless = {
      columns: [textColumn("T", sql`md5(n::text) || md5(n::text || 'x')`)],
      source: sql`(select generate_series(1, 1000000000) n) numbers`,
    }
    const [nothing, much] = await Promise.all([tableExports.openXlsx(sleeping), tableExports.openXlsx(endless)])
    nothing.on("data", () => undefined)
    await once(much, "readable")
    await eventually(async () =>
      expect(await backends()).toEqual(
        expect.arrayContaining([
          { state: "active", wait_event: "PgSleep" },
          { state: "active", wait_event: "ClientWrite" },
        ]),
      ),
    )
    expect(much.readableLength).toBeLessThan(1_000_000)
    nothing.destroy()
    much.destroy()
    await eventually(async () => expect(await backends()).toEqual([]))
    expect(await rowsOf(sql`select 1 as one`)).toEqual([{ one: "1" }])
  })

  test("that fails in the middle fails, and doesn't end", async () => {
    const failing = {
      columns: [valueColumn("X", sql`1 / (20000 - n)`)],
      source: sql`(select generate_series(1, 1000000) n) numbers`,
    }
    await expect(buffer(await tableExports.openXlsx(failing))).rejects.toMatchObject({ code: "22012" })
    expect(await rowsOf(sql`select 1 as one`)).toEqual([{ one: "1" }])
  })
})

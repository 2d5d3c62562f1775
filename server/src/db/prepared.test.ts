import { sql } from "kysely"
import { afterAll, expect, test } from "vitest"
import { createTestDatabase } from "../../test-support/test-database.ts"
import { createPool } from "./pools.ts"
import { columnList, lookup, prepared, type SqlPart } from "./prepared.ts"
import { boolean, bytea, date, integer, jsonb, rowsOf, text, timestamptz, uuid, uuidList } from "./rows-of.ts"
import { createDb } from "./transaction.ts"

const database = await createTestDatabase()
const db = createDb(database.pool)

afterAll(() => database.drop())

const row = {
  id: "019283aa-0000-7000-8000-000000000001",
  name: 'O "melhor", {curso}\\ de violão',
  count: 3,
  is_open: true,
  at: new Date("2026-02-28T15:00:00Z"),
  day: "2026-02-28",
  hash: Buffer.from([0, 92, 255]),
  content: { a: ["x", null] },
}
const nothing = { ...row, name: null, hash: null, content: null }

type Given = typeof row | typeof nothing
type Columns = Omit<Given, "content"> & { content: string | null }

const given = rowsOf<Given, Columns>("given", {
  id: uuid(({ id }) => id),
  name: text(({ name }) => name),
  count: integer(({ count }) => count),
  is_open: boolean(({ is_open }) => is_open),
  at: timestamptz(({ at }) => at),
  day: date(({ day }) => day),
  hash: bytea(({ hash }) => hash),
  content: jsonb(({ content }) => content && JSON.stringify(content)),
})

test("rows arrive as they are, in a prepared statement and in another", async () => {
  const rows = [row, nothing]
  const read = () => prepared("test-rows")`select ${given.columns} from ${given.of(rows)}`.execute(db)
  expect((await read()).rows).toEqual(rows)
  expect((await sql`select ${given.columns} from ${given.of(rows)}`.execute(db)).rows).toEqual(rows)
  expect((await prepared("test-no-rows")`select * from ${given.of([])}`.execute(db)).rows).toEqual([])
})

test("values and parts keep their places, however often the statement runs", async () => {
  const names = columnList("id, name")
  const find = async (ids: string[], least: number) => {
    const { rows } = await prepared<{ id: string; name: string }>("test-places")`
      select ${names} from ${given.of([row])} where count >= ${least} and id = any(${uuidList(ids)})
        and ${lookup("given.id", "given.id")} and name <> ${"x"}`.execute(db)
    return rows
  }
  expect(await find([row.id], 3)).toEqual([{ id: row.id, name: row.name }])
  expect(await find([row.id], 4)).toEqual([])
  expect(await find([], 3)).toEqual([])
})

test("each connection prepares the statement once, under its name", async () => {
  const pool = createPool({ url: database.url, max: 1, applicationName: "tilinta-test" })
  await createDb(pool)
    .connection()
    .execute(async (connection) => {
      for (const value of [1, 2]) await prepared("test-name")`select ${value}::int`.execute(connection)
      const { rows } = await sql`select generic_plans + custom_plans as runs from pg_prepared_statements
      where name = 'test-name'`.execute(connection)
      expect(rows).toEqual([{ runs: 2 }])
    })
  await pool.end()
})

test("a statement whose text varies is refused", async () => {
  const order = (by: SqlPart) => prepared("test-varies")`select 1 as one, 2 as two order by ${by}`.execute(db)
  await order(columnList("one"))
  expect(() => order(columnList("two"))).toThrow("the text of test-varies varies")
})

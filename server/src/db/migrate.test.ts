import { randomBytes } from "node:crypto"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type pg from "pg"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { administer, createEmptyDatabase, type EmptyDatabase } from "../../test-support/empty-database.ts"
import { completeSchema, createSchema, migrate } from "./migrate.ts"
import { createPool } from "./pools.ts"

const log = createLog("silent")
const schemaFolder = fileURLToPath(new URL("../../database/schema/", import.meta.url))

let folder: string
let database: EmptyDatabase
let url: string
let owner: pg.Client

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tilinta-migrations-"))
  database = await createEmptyDatabase()
  ;({ url, owner } = database)
})

afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

async function write(files: Record<string, string>): Promise<void> {
  await Promise.all(Object.entries(files).map(([name, sql]) => writeFile(join(folder, name), sql)))
}

const twoFiles = {
  "0001_first.sql": "CREATE TABLE first (id int); GRANT SELECT ON first TO tilinta_app;",
  "0002_second.sql": "CREATE TABLE second (id int);",
}

describe("migrations", () => {
  test("are applied in order, once, and recorded", async () => {
    await write({ ...twoFiles, "readme.txt": "not a migration" })
    await migrate({ ownerUrl: url, log, folder })
    await migrate({ ownerUrl: url, log, folder })
    const { rows } = await owner.query("SELECT version, name FROM schema_migrations ORDER BY version")
    expect(rows).toEqual([
      { version: 1, name: "0001_first.sql" },
      { version: 2, name: "0002_second.sql" },
    ])
  })

  test("several nodes may start at once", async () => {
    await write({ ...twoFiles, "0003_slow.sql": "SELECT pg_sleep(0.2); CREATE TABLE third (id int);" })
    await Promise.all([1, 2, 3, 4].map(() => migrate({ ownerUrl: url, log, folder })))
    const { rows } = await owner.query("SELECT count(*)::int AS applied FROM schema_migrations")
    expect(rows).toEqual([{ applied: 3 }])
  })

  test("one that fails leaves nothing of the whole upgrade, and names itself", async () => {
    await write({ "0001_first.sql": twoFiles["0001_first.sql"] })
    await migrate({ ownerUrl: url, log, folder })
    await owner.query("INSERT INTO first VALUES (7)")
    await write({
      "0002_second.sql": "UPDATE first SET id = 8; CREATE TABLE second (id int);",
      "0003_broken.sql": "CREATE TABLE half (id int); SELECT 1 / 0;",
    })
    await expect(migrate({ ownerUrl: url, log, folder })).rejects.toThrow(
      /^A migração 0003_broken\.sql falhou: division by zero\. O banco de dados ficou como estava antes[^\n]*$/,
    )
    const { rows } = await owner.query(
      `SELECT to_regclass('half') AS half, to_regclass('second') AS second, id, (SELECT max(version) FROM schema_migrations)
      FROM first`,
    )
    expect(rows).toEqual([{ half: null, second: null, id: 7, max: 1 }])

    await write({ "0003_broken.sql": "CREATE TABLE half (id int);" })
    await migrate({ ownerUrl: url, log, folder })
  })

  test("one that waits for a table in use lets others go first, and is applied once the table is free", async () => {
    await write({ "0001_first.sql": twoFiles["0001_first.sql"] })
    await migrate({ ownerUrl: url, log, folder })
    await write({ "0002_column.sql": "ALTER TABLE first ADD COLUMN more int;" })
    const pool = createPool({ url, max: 2, applicationName: "test" })
    const reader = await pool.connect()
    await reader.query("BEGIN; SELECT FROM first")
    const upgrade = migrate({ ownerUrl: url, log, folder })
    const isAsked = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'first'::regclass"
    while ((await owner.query(isAsked)).rowCount === 0) await sleep(10)
    await pool.query("SELECT FROM first")
    await reader.query("COMMIT")
    await upgrade
    reader.release()
    await pool.end()
    expect((await owner.query("SELECT more FROM first")).rows).toEqual([])
  })

  test("a database in use is copied before it is changed, and stays as it is when that fails", async () => {
    const told: string[] = []
    const beforeUpgrade = async (next: string) => void told.push(next)
    await write({ "0001_first.sql": twoFiles["0001_first.sql"] })
    await migrate({ ownerUrl: url, log, folder, beforeUpgrade })
    await migrate({ ownerUrl: url, log, folder, beforeUpgrade })
    expect(told).toEqual([])

    await write(twoFiles)
    const noSpace = () => Promise.reject(new Error("no space"))
    await expect(migrate({ ownerUrl: url, log, folder, beforeUpgrade: noSpace })).rejects.toThrow("no space")
    const { rows } = await owner.query("SELECT to_regclass('second') AS second")
    expect(rows).toEqual([{ second: null }])
    await migrate({ ownerUrl: url, log, folder, beforeUpgrade })
    expect(told).toEqual(["0002_second.sql"])
  })

  test("one that changed after it was applied stops the start, but other line ends are no change", async () => {
    await write({ "0001_first.sql": "CREATE TABLE first (\n id int);" })
    await migrate({ ownerUrl: url, log, folder })
    await write({ "0001_first.sql": "CREATE TABLE first (\r\n id int);" })
    await migrate({ ownerUrl: url, log, folder })
    await write({ "0001_first.sql": "CREATE TABLE first (id bigint);" })
    await expect(migrate({ ownerUrl: url, log, folder })).rejects.toThrow("0001_first.sql mudou depois de aplicada")
  })

  test("a database whose first step has another name is from before the beginning, and left as it is", async () => {
    await write({ "0001_identity.sql": "CREATE TABLE first (id int);", "0002_ledger.sql": "SELECT 1" })
    await migrate({ ownerUrl: url, log, folder })
    await expect(migrate({ ownerUrl: url, log })).rejects.toThrow(
      /^Este banco de dados é de antes da primeira versão \(sua primeira migração é 0001_identity\.sql\)/,
    )
    const { rows } = await owner.query("SELECT to_regclass('users') AS users, to_regclass('first')::text AS first")
    expect(rows).toEqual([{ users: null, first: "first" }])
  })

  test.each([
    ["a number below the newest", { "0002_b.sql": "SELECT 1" }, { "0001_a.sql": "SELECT 1" }, "chegou depois da 2"],
    ["a number twice", {}, { "0001_a.sql": "SELECT 1", "0001_b.sql": "SELECT 1" }, "Duas migrações"],
    ["a name without number", {}, { "first.sql": "SELECT 1" }, "Nome de migração inválido: first.sql"],
  ])("%s stops the start", async (_name, before, after, message) => {
    await write(before)
    await migrate({ ownerUrl: url, log, folder })
    await write(after)
    await expect(migrate({ ownerUrl: url, log, folder })).rejects.toThrow(message)
  })

  test("an older server refuses a schema that a newer one has changed, in one line, and leaves it as it is", async () => {
    await write({ ...twoFiles, "0004_newer.sql": "CREATE TABLE newer (id int);" })
    await migrate({ ownerUrl: url, log, folder })
    await rm(join(folder, "0004_newer.sql"))
    await write({ "0003_other.sql": "CREATE TABLE other (id int);" })
    await expect(migrate({ ownerUrl: url, log, folder })).rejects.toThrow(
      /^Este banco de dados foi atualizado por uma versão mais nova do servidor \(migração 0004_newer\.sql\)[^\n]*$/,
    )
    const { rows } = await owner.query(
      "SELECT to_regclass('other') AS other, count(*)::int AS applied FROM schema_migrations",
    )
    expect(rows).toEqual([{ other: null, applied: 3 }])
  })

  test("a schema as an older version left it is brought up to date in the same transaction, or none of it is made", async () => {
    await write(twoFiles)
    await migrate({ ownerUrl: url, log, folder })
    const { rows: applied } = await owner.query(
      "SELECT version, name, checksum FROM schema_migrations ORDER BY version",
    )
    await owner.query("DROP TABLE first, second, schema_migrations")
    const older = applied.slice(0, 1)
    const make = async () => {
      await owner.query("BEGIN")
      await createSchema(owner, older, folder)
      await owner.query("INSERT INTO first VALUES (7)")
      await completeSchema(owner, folder)
    }

    await write({ "0002_second.sql": "SELECT 1 / 0;" })
    await expect(make()).rejects.toThrow("A migração 0002_second.sql falhou: division by zero.")
    await owner.query("ROLLBACK")
    expect((await owner.query("SELECT to_regclass('first') AS first")).rows).toEqual([{ first: null }])

    await write(twoFiles)
    await make()
    await owner.query("COMMIT")
    const { rows } = await owner.query("SELECT id, (SELECT max(version) FROM schema_migrations) FROM first")
    expect(rows).toEqual([{ id: 7, max: 2 }])
  })

  test("the first of this project is its schema files, one after the other", async () => {
    const names = (await readdir(schemaFolder)).toSorted()
    const texts = await Promise.all(names.map((name) => readFile(join(schemaFolder, name), "utf8")))
    await write({ "0001_schema.sql": texts.join("") })
    // Earlier versions kept the same text in one file.
    await migrate({ ownerUrl: url, log, folder })
    const before = await owner.query("SELECT version, name, checksum FROM schema_migrations")
    await migrate({ ownerUrl: url, log })
    const { rows } = await owner.query("SELECT version, name, checksum FROM schema_migrations")
    expect(rows[0]).toEqual(before.rows[0])
    expect(rows[0]).toMatchObject({ version: 1, name: "0001_schema.sql" })
  })

  test("those of this project apply to an empty database; once their schema is another, the start ends", async () => {
    await migrate({ ownerUrl: url, log })
    const { rows } = await owner.query("SELECT count(*)::int > 0 AS applied FROM schema_migrations")
    expect(rows).toEqual([{ applied: true }])
    await owner.query("UPDATE schema_migrations SET checksum = 'that of another text' WHERE version = 1")
    await expect(migrate({ ownerUrl: url, log })).rejects.toThrow("0001_schema.sql mudou depois de aplicada")
  })
})

describe("a database user that is no superuser", () => {
  const user = { name: `owner_${randomBytes(4).toString("hex")}`, password: "x1" }

  afterEach(async () => {
    await administer(`DROP OWNED BY ${user.name}`).catch(() => undefined)
    await owner.query(`REASSIGN OWNED BY ${user.name} TO CURRENT_USER; DROP OWNED BY ${user.name}`)
    await administer(`DROP ROLE ${user.name}`)
  })

  async function createUser(attributes: string): Promise<string> {
    const name = new URL(url).pathname.slice(1)
    await administer(
      `CREATE ROLE ${user.name} LOGIN ${attributes} PASSWORD '${user.password}'`,
      `GRANT ALL ON DATABASE ${name} TO ${user.name}`,
    )
    await owner.query(`GRANT ALL ON SCHEMA public TO ${user.name}`)
    return Object.assign(new URL(url), { username: user.name, password: user.password }).toString()
  }

  test("gets the statements that an administrator has to run, and they suffice", async () => {
    await write(twoFiles)
    const ownerUrl = await createUser("")
    const error = await migrate({ ownerUrl, log, folder }).catch((reason: Error) => reason)
    const statement = /(GRANT tilinta_app TO owner_\w+;)$/.exec((error as Error).message)?.[1]
    expect(statement).toBeDefined()

    await administer(statement ?? "")
    await migrate({ ownerUrl, log, folder })
    const pool = createPool({ url: ownerUrl, max: 1, applicationName: "x" })
    expect((await pool.query("SELECT current_user::text AS me, count(*) FROM first")).rows).toEqual([
      { me: "tilinta_app", count: 0 },
    ])
    await pool.end()
  })
})

test("a database that cannot be reached or entered is one line without the password", async () => {
  const wrong = new URL(url)
  wrong.password = "s3gredo"
  const error = await migrate({ ownerUrl: wrong.toString(), log, folder }).catch((reason: Error) => reason)
  expect((error as Error).name).toBe("StartError")
  expect((error as Error).message).toMatch(/^Não foi possível conectar ao banco de dados \(DATABASE_URL\): /)
  expect((error as Error).message).not.toContain("s3gredo")
})

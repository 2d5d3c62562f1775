import { randomBytes } from "node:crypto"
import type pg from "pg"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { administer, createEmptyDatabase, type EmptyDatabase } from "../../test-support/empty-database.ts"
import { migrate } from "./migrate.ts"
import { createPool } from "./pools.ts"
import { openServingRoute } from "./roles.ts"
import type { DatabaseRoute } from "./route.ts"

const log = createLog("silent")

let database: EmptyDatabase
let pools: pg.Pool[]

beforeEach(async () => {
  database = await createEmptyDatabase()
  pools = []
})

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await database.drop()
})

async function start(ownerUrl = database.url): Promise<DatabaseRoute> {
  await migrate({ ownerUrl, log })
  return openServingRoute({ ownerUrl, log })
}

function poolOn(url: DatabaseRoute | string): pg.Pool {
  const pool = createPool({ url, max: 2, applicationName: "serving", log })
  pools.push(pool)
  return pool
}

const loginOf = async () => (await database.owner.query("select role_name from server_logins")).rows[0]?.role_name

/** After leaving the serving role, as an injected statement would. */
async function tryToEscape(pool: pg.Pool, statement: string): Promise<unknown> {
  const client = await pool.connect()
  try {
    await client.query("set role none")
    await client.query(statement)
    return null
  } catch (error) {
    return (error as pg.DatabaseError).code
  } finally {
    client.release(true)
  }
}

test("requests log in as a role of their own, and SET ROLE NONE gives them nothing", async () => {
  const pool = poolOn(await start())
  const { rows } = await pool.query("select current_user::text as serving, session_user::text as login from settings")
  expect(rows).toEqual([])
  const facts = await pool.query("select current_user::text as serving, session_user::text as login")
  expect(facts.rows).toEqual([{ serving: "tilinta_app", login: await loginOf() }])
  for (const statement of [
    "set session_replication_role = replica",
    "copy (select 1) to program 'true'",
    "set role postgres",
    "select from settings",
    "select from server_logins",
    "alter table settings add more text",
    "drop trigger journal_is_final on journal",
    "create table intruder (id int)",
  ]) {
    expect({ statement, code: await tryToEscape(pool, statement) }).toEqual({ statement, code: "42501" })
  }
})

test("all nodes share one login, also when they start at once, again, or after it was tampered with", async () => {
  await migrate({ ownerUrl: database.url, log })
  const routes = await Promise.all([1, 2, 3, 4].map(() => openServingRoute({ ownerUrl: database.url, log })))
  expect(new Set(routes.map((route) => route.address())).size).toBe(1)
  await database.owner.query(`alter role ${await loginOf()} nologin password 'another'`)
  await poolOn(await start()).query("select from settings")
  await poolOn(routes[0] ?? "").query("select from settings")
})

test.each([
  ["may become the owner", (login: string) => `grant postgres to ${login}`, /pode tornar-se o dono das tabelas/],
  ["is a superuser", (login: string) => `alter role ${login} superuser`, /é superusuário/],
  [
    "can't log in next to an owner who is a superuser",
    (login: string) => `alter role ${login} connection limit 0`,
    /pg_hba/,
  ],
])("a login that %s ends the start with one line", async (_name, tamper, line) => {
  await start()
  await database.owner.query(tamper(await loginOf()))
  const failure = await start().catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: "StartError", message: expect.stringMatching(line) })
  expect((failure as Error).message).not.toContain("\n")
})

test("of several hosts the one that is there is used", async () => {
  const url = database.url.replace("@127.0.0.1:", "@127.0.0.1:1,127.0.0.1:")
  const route = await start(url)
  await poolOn(route).query("select from settings")
  const pool = poolOn(url)
  await expect(pool.query("select 1")).rejects.toMatchObject({ code: "ECONNREFUSED" })
  await pool.query("select 1")
})

describe("an owner who is no superuser", () => {
  const user = { name: `owner_${randomBytes(4).toString("hex")}`, password: "x1" }

  afterEach(async () => {
    const login = await loginOf()
    await database.owner.query(`reassign owned by ${user.name} to current_user; drop owned by ${user.name}`)
    await administer(`drop role if exists ${login}`, `drop owned by ${user.name}`, `drop role ${user.name}`)
  })

  async function createOwner(attributes: string, grant: string): Promise<string> {
    const name = new URL(database.url).pathname.slice(1)
    await administer(
      `create role ${user.name} login ${attributes} password '${user.password}'`,
      `grant tilinta_app to ${user.name} ${grant}`,
      `alter database ${name} owner to ${user.name}`,
    )
    return Object.assign(new URL(database.url), { username: user.name, password: user.password }).toString()
  }

  test("and may create roles gives requests a login of their own", async () => {
    const pool = poolOn(await start(await createOwner("createrole", "with admin option")))
    const { rows } = await pool.query("select current_user::text as serving, session_user::text as login")
    expect(rows).toEqual([{ serving: "tilinta_app", login: await loginOf() }])
    expect(await tryToEscape(pool, `set role ${user.name}`)).toBe("42501")
  })

  test("and may not create roles, as the README's administrator sets it up, still serves in the serving role", async () => {
    const pool = poolOn(await start(await createOwner("", "")))
    const { rows } = await pool.query("select current_user::text as serving, session_user::text as login")
    expect(rows).toEqual([{ serving: "tilinta_app", login: user.name }])
  })
})

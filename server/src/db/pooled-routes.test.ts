import { randomBytes } from "node:crypto"
import pg from "pg"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { administer, createEmptyDatabase, type EmptyDatabase } from "../../test-support/empty-database.ts"
import { openSharingPooler } from "../../test-support/sharing-pooler.ts"
import { createCsvExports } from "./csv-exports.ts"
import { migrate } from "./migrate.ts"
import { openPools, type PoolRoutes } from "./open-pools.ts"
import { createPool } from "./pool.ts"
import { openPooledRoutes } from "./pooled-routes.ts"
import { prepared } from "./prepared.ts"
import { openServingRoute } from "./serving-login.ts"
import type { Db } from "./transaction.ts"

const log = createLog("silent")

type Pooler = Awaited<ReturnType<typeof openSharingPooler>>

let database: EmptyDatabase
let endings: (() => Promise<unknown>)[]

beforeEach(async () => {
  database = await createEmptyDatabase()
  await migrate({ ownerUrl: database.directUrl, log })
  endings = []
})

afterEach(async () => {
  for (const end of endings.toReversed()) await end()
  await database.drop()
})

async function openPooler(
  wishes: Parameters<typeof openSharingPooler>[2] = {},
  url = database.directUrl,
): Promise<Pooler> {
  const pooler = await openSharingPooler(url, "transaction", { sessions: 4, keepsStatements: true, ...wishes })
  endings.push(() => pooler.close())
  return pooler
}

async function start(poolerUrl: string, ownerUrl = database.directUrl): Promise<PoolRoutes> {
  const direct = await openServingRoute({ ownerUrl, log })
  return openPooledRoutes({ ownerUrl, poolerUrl, direct, log })
}

async function refusalOf(poolerUrl: string, ownerUrl?: string): Promise<string> {
  const failure = await start(poolerUrl, ownerUrl).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: "StartError", message: expect.stringMatching(/^[^\n]*$/) })
  return (failure as Error).message
}

function open(routes: PoolRoutes) {
  const pools = openPools({ routes, log })
  endings.push(() => pools.stop())
  return pools
}

const facts = prepared<Record<string, string>>("facts-of-a-session")`
  select current_user::text as serving, session_user::text as login, current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock, current_setting('enable_seqscan') as seqscan, pg_backend_pid()::text as pid,
    pg_sleep(0.001)::text`

async function factsOf(db: Db): Promise<Record<string, string>[]> {
  return Promise.all(Array.from({ length: 20 }, async () => (await facts.execute(db)).rows[0] ?? {}))
}

test("the pools of a node share few sessions, and each transaction has its pool's role and settings", async () => {
  const { url } = await openPooler()
  const { db, reportsDb, jobsDb, lookupDb } = open(await start(url))
  const found = await Promise.all([db, reportsDb, jobsDb, lookupDb].map(factsOf))
  const usual = { serving: "tilinta_app", statement: "30s", lock: "10s" }
  const seqscans = ["on", "on", "on", "off"]
  found.forEach((ofPool, at) => {
    for (const one of ofPool) expect(one).toMatchObject({ ...usual, seqscan: seqscans[at] })
    expect(new Set(ofPool.map(({ login }) => login)).size).toBe(1)
    expect(new Set(ofPool.map(({ pid }) => pid)).size).toBeLessThanOrEqual(4)
  })
  expect(new Set(found.flat().map(({ login }) => login)).size).toBe(4)
})

test("a login of a pool has no powers beside the serving role", async () => {
  const routes = await start((await openPooler()).url)
  for (const route of Object.values(routes)) {
    const session = new pg.Client({ connectionString: route.address() })
    await session.connect()
    await session.query("begin; set local role none")
    for (const statement of ["select from settings", "select from server_logins", "set local role postgres"]) {
      await session.query("savepoint before")
      await expect(session.query(statement)).rejects.toMatchObject({ code: "42501" })
      await session.query("rollback to before")
    }
    await session.query("rollback")
    await session.end()
  }
})

test("nodes that start at once, or again, share the logins; what was tampered with is mended", async () => {
  const { url } = await openPooler()
  const direct = await openServingRoute({ ownerUrl: database.directUrl, log })
  const startOne = () => openPooledRoutes({ ownerUrl: database.directUrl, poolerUrl: url, direct, log })
  const [first, ...others] = await Promise.all([1, 2, 3].map(startOne))
  const { username } = new URL(first?.lookups.address() ?? "")
  for (const routes of others) expect(routes.lookups.address()).toBe(first?.lookups.address())
  await database.owner.query(`alter role ${username} nologin password 'another'`)
  await database.owner.query(`alter role ${username} in database ${nameOf(database.directUrl)} reset all`)
  const { lookupDb } = open(await start((await openPooler()).url))
  expect(await factsOf(lookupDb)).toContainEqual(expect.objectContaining({ serving: "tilinta_app", seqscan: "off" }))
})

test("a start takes the last session from nobody's requests, however few the pooler has", async () => {
  const { url } = await openPooler({ sessions: 2 })
  const { db } = open(await start(url))
  let isOver = false
  const starting = start(url).finally(() => {
    isOver = true
  })
  const waits: number[] = []
  while (!isOver) {
    const begin = performance.now()
    await facts.execute(db)
    waits.push(performance.now() - begin)
  }
  await starting
  // A start that held both sessions until its trial of prepared statements gave up made them wait for 3,100 ms.
  expect(Math.max(...waits)).toBeLessThan(2_000)
})

test("without the pooler its logins are good, too: their own settings are in nobody's way", async () => {
  const { db, lookupDb } = open(await start(database.directUrl))
  expect((await factsOf(db))[0]).toMatchObject({ serving: "tilinta_app", seqscan: "on" })
  expect((await factsOf(lookupDb))[0]).toMatchObject({ serving: "tilinta_app", seqscan: "off" })
})

test("what takes settings of its own is not let near sessions that others share", async () => {
  const { requests } = await start((await openPooler()).url)
  expect(() => createCsvExports({ url: requests, max: 1 })).toThrow("a pooled login brings other settings")
})

test("a server that was demoted renews the connections on both ways", async () => {
  const direct = await openServingRoute({ ownerUrl: database.directUrl, log })
  const { url } = await openPooler()
  const routes = await openPooledRoutes({ ownerUrl: database.directUrl, poolerUrl: url, direct, log })
  const renewed: string[] = []
  direct.onRenew(() => renewed.push("direct"))
  routes.lookups.onRenew(() => renewed.push("lookups"))
  direct.renew()
  routes.jobs.renew()
  expect(renewed).toEqual(["direct", "lookups", "direct", "lookups"])
})

test("a session that lacks its login's settings is given to nobody", async () => {
  const routes = await start(database.directUrl)
  const { username } = new URL(routes.requests.address())
  const pool = createPool({ url: routes.requests, max: 1, applicationName: "pooled" })
  endings.push(() => pool.end())
  await database.owner.query(`alter role ${username} in database ${nameOf(database.directUrl)} reset role`)
  await expect(pool.query("select 1")).rejects.toMatchObject({
    code: "08004",
    message: expect.stringMatching(/lacks role=tilinta_app$/),
  })
})

test("a pooler that prepares statements in one session alone is refused", async () => {
  expect(await refusalOf((await openPooler({ keepsStatements: false })).url)).toMatch(/max_prepared_statements/)
})

test("a pooler whose sessions are another user's is refused", async () => {
  const pooler = await openPooler({ everybodyAs: new URL(database.directUrl).username })
  expect(await refusalOf(pooler.url)).toMatch(/^O pooler em DATABASE_URL .*user=/)
})

test("a pooler before another database is refused", async () => {
  const other = await createEmptyDatabase()
  endings.push(() => other.drop())
  expect(await refusalOf(other.directUrl)).toMatch(/^DATABASE_URL e DATABASE_DIRECT_URL .*levam a dois/)
})

test("a pooler that lets the login in no more is refused", async () => {
  const routes = await start(database.directUrl)
  const { username } = new URL(routes.requests.address())
  await database.owner.query(`alter role ${username} connection limit 0`)
  expect(await refusalOf(database.directUrl)).toMatch(
    new RegExp(`^O pooler em DATABASE_URL não deixa ${username} entrar .*auth_query`),
  )
})

test("a pooler that is not there is waited for, and then named", async () => {
  const gone = await openPooler()
  await gone.close()
  expect(await refusalOf(gone.url)).toMatch(/^Não foi possível conectar ao pooler \(DATABASE_URL\): .*ECONNREFUSED/)
})

test("an owner who may not create roles is told what to ask for", async () => {
  const user = `owner_${randomBytes(4).toString("hex")}`
  await administer(
    `create role ${user} login password 'x1'`,
    `grant tilinta_app to ${user}`,
    `alter database ${nameOf(database.directUrl)} owner to ${user}`,
  )
  endings.push(() => administer(`drop owned by ${user}`, `drop role ${user}`))
  endings.push(() => database.owner.query(`reassign owned by ${user} to current_user; drop owned by ${user}`))
  await database.owner.query(`grant all on server_logins to ${user}`)
  const ownerUrl = Object.assign(new URL(database.directUrl), { username: user, password: "x1" }).toString()
  expect(await refusalOf(database.directUrl, ownerUrl)).toMatch(
    `ALTER ROLE ${user} CREATEROLE; GRANT tilinta_app TO ${user}`,
  )
})

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

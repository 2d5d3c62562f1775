import pg from "pg"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { createEmptyDatabase, type EmptyDatabase } from "../../test-support/empty-database.ts"
import { openSharingPooler } from "../../test-support/sharing-pooler.ts"
import { migrate } from "./migrate.ts"
import { refuseSharedSessions } from "./refuse-shared-sessions.ts"

const log = createLog("silent")

let database: EmptyDatabase

beforeEach(async () => {
  database = await createEmptyDatabase()
})

afterEach(() => database.drop())

async function check(url: string): Promise<string> {
  const session = new pg.Client({ connectionString: url })
  session.on("error", () => undefined)
  await session.connect()
  try {
    await refuseSharedSessions(session, url)
    const { rows } = await session.query<{ mark: string | null }>(
      "select current_setting('tilinta.session', true) mark",
    )
    return rows[0]?.mark ?? ""
  } finally {
    await session.end()
  }
}

test("PostgreSQL itself is asked nothing more", async () => {
  expect(await check(database.url)).toBe("")
})

test("a pooler in session mode is let through, though it has no session left to try with, and keeps no mark", async () => {
  const pooler = await openSharingPooler(database.url, "session")
  try {
    expect(await check(pooler.url)).toBe("")
  } finally {
    await pooler.close()
  }
})

test("a pooler in transaction mode is refused in one line, before anything is changed", async () => {
  const pooler = await openSharingPooler(database.url, "transaction")
  try {
    await expect(check(pooler.url)).rejects.toThrow(/^DATABASE_URL passa por um pooler em modo de transação[^\n]*$/)
    await expect(migrate({ ownerUrl: pooler.url, log })).rejects.toThrow("modo de transação")
    const { rowCount } = await database.owner.query("select from pg_class where relnamespace = 'public'::regnamespace")
    expect(rowCount).toBe(0)
  } finally {
    await pooler.close()
  }
})

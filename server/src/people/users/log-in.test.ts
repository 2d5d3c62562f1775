import pg from "pg"
import { afterAll, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { countWaiting } from "../../../test-support/races.ts"
import { createSeller } from "../../../test-support/sandbox.ts"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { logIn } from "./log-in.ts"
import { hashPassword } from "./passwords.ts"

const database = await createTestDatabase()

afterAll(() => database.drop())

test.each([
  ["password_hash = 'another'", "a new password"],
  ["active = false", "an inactivation"],
])("a login that is under way while %s is saved opens no session (%s)", async (change) => {
  const id = await createSeller(database)
  const email = `${id}@exemplo.com`
  const password_hash = await hashPassword("senha-antiga")
  await database.db.updateTable("users").set({ password_hash }).where("id", "=", id).execute()

  const other = new pg.Client({ connectionString: database.url })
  // Within a transaction pg_stat_activity is a snapshot, so another connection must watch.
  const watcher = new pg.Client({ connectionString: database.url })
  await Promise.all([other.connect(), watcher.connect()])
  try {
    await other.query("begin")
    await other.query(`update users set ${change} where id = $1`, [id])
    const login = logIn(
      { db: database.db, clock: systemClock, secretKeys, protection: "relaxed" },
      { email, password: "senha-antiga", origin: { address: "127.0.0.1", userAgent: "" } },
    )
    const outcome = login.catch((error: unknown) => error)
    await expect.poll(() => countWaiting(watcher)).toBe(1)
    await other.query("commit")
    expect(await outcome).toMatchObject({ code: "wrong_credentials" })
  } finally {
    await Promise.all([other.end(), watcher.end()])
  }
  expect(await database.db.selectFrom("sessions").select("user_id").where("user_id", "=", id).execute()).toEqual([])
})

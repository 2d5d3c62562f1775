import { afterAll, beforeAll, expect, test } from "vitest"
import { storeWebhook } from "#domain/psp-inbox/store-webhook"
import { tidyInbox } from "#domain/psp-inbox/tidy-inbox"
import { tidySessions } from "#domain/sessions/tidy-sessions"
import { tidyFailedLogins } from "#domain/users/tidy-failed-logins"
import { systemClock } from "#kit/clock"
import { createSeller } from "../../test-support/sandbox.ts"
import { createTestDatabase, type TestDatabase } from "../../test-support/test-database.ts"

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(async () => {
  await database.drop()
})

const inDays = (days: number) => ({ db: database.db, clock: { now: () => new Date(Date.now() + days * 86_400_000) } })

test("webhooks that were worked off go after ninety days; waiting ones never do", async () => {
  await storeWebhook(inDays(0), { provider: "a", body: Buffer.from("[]") })
  await storeWebhook(inDays(0), { provider: "b", body: Buffer.from("[]") })
  await database.db.updateTable("psp_inbox").set({ processed_at: new Date() }).where("provider", "=", "a").execute()
  const left = () => database.db.selectFrom("psp_inbox").select("provider").orderBy("id").execute()
  await tidyInbox(inDays(89))
  expect(await left()).toHaveLength(2)
  await tidyInbox(inDays(91))
  expect(await left()).toEqual([{ provider: "b" }])
})

test("sessions that ended and failures that no limit counts are forgotten", async () => {
  const userId = await createSeller(database)
  const session = { user_id: userId, created_at: new Date(), last_used_at: new Date() }
  await database.db
    .insertInto("sessions")
    .values([
      { ...session, token_hash: Buffer.from("ended"), expires_at: new Date(Date.now() - 1) },
      { ...session, token_hash: Buffer.from("alive"), expires_at: new Date(Date.now() + 60_000) },
    ])
    .execute()
  await database.db.insertInto("failed_logins").values({ account_key: "a@b", address: "::1" }).execute()
  await tidySessions({ db: database.db, clock: systemClock })
  const sessions = await database.db.selectFrom("sessions").select("token_hash").execute()
  expect(sessions.map((row) => row.token_hash.toString())).toEqual(["alive"])
  await tidyFailedLogins({ db: database.db, clock: systemClock })
  expect(await database.db.selectFrom("failed_logins").select("id").execute()).toHaveLength(1)
  await tidyFailedLogins(inDays(1))
  expect(await database.db.selectFrom("failed_logins").select("id").execute()).toHaveLength(0)
})

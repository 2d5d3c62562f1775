import { afterAll, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { newId } from "#kit/ids"
import { enqueueMails } from "#platform/mails/notify-owner"
import { erasePersonalData, tidyUp } from "#start/retention"
import { deliverMails } from "../../test-support/mail-delivery.ts"
import { createSeller } from "../../test-support/sandbox.ts"
import { createTestDatabase } from "../../test-support/test-database.ts"
import { storeTestWebhook } from "../../test-support/test-webhooks.ts"

const database = await createTestDatabase()

afterAll(() => database.drop())

const inDays = (days: number) => ({ db: database.db, clock: { now: () => new Date(Date.now() + days * 86_400_000) } })

test("processed webhooks are deleted after thirty days; waiting ones never are", async () => {
  await storeTestWebhook({ ...inDays(0), psp: { name: "a" } }, Buffer.from("[]"))
  await storeTestWebhook({ ...inDays(0), psp: { name: "b" } }, Buffer.from("[]"))
  await database.db.updateTable("psp_inbox").set({ processed_at: new Date() }).where("provider", "=", "a").execute()
  const left = () => database.db.selectFrom("psp_inbox").select("provider").orderBy("id").execute()
  await erasePersonalData(inDays(29))
  expect(await left()).toHaveLength(2)
  await erasePersonalData(inDays(31))
  expect(await left()).toEqual([{ provider: "b" }])
})

test("sessions that ended and failures that no limit counts are forgotten", async () => {
  const userId = await createSeller(database)
  const session = { user_id: userId, created_at: new Date(), last_used_at: new Date(), mac: "" }
  await database.db
    .insertInto("sessions")
    .values([
      { ...session, id: newId(), token_hash: Buffer.from("ended"), expires_at: new Date(Date.now() - 1) },
      { ...session, id: newId(), token_hash: Buffer.from("alive"), expires_at: new Date(Date.now() + 60_000) },
    ])
    .execute()
  await database.db.insertInto("failed_logins").values({ account_key: "a@b", address: "::1" }).execute()
  await tidyUp({ db: database.db, clock: systemClock })
  const sessions = await database.db.selectFrom("sessions").select("token_hash").execute()
  expect(sessions.map((row) => row.token_hash.toString())).toEqual(["alive"])
  expect(await database.db.selectFrom("failed_logins").select("id").execute()).toHaveLength(1)
  await tidyUp(inDays(1))
  expect(await database.db.selectFrom("failed_logins").select("id").execute()).toHaveLength(0)
})

test("mails that went, and the sandbox's outbox, go after thirty days; waiting ones never do", async () => {
  const userId = await createSeller(database)
  const enqueue = (dedupeKey: string) => {
    const mail = {
      userId,
      dedupeKey,
      content: { kind: "password_changed", changedAt: "2026-11-21T15:00:00Z" } as const,
    }
    return database.db.transaction().execute((tx) => enqueueMails(tx, [mail], new Date()))
  }
  await enqueue("foi")
  expect(await deliverMails({ db: database.db, clock: systemClock })).toHaveLength(1)
  await enqueue("espera")
  const keys = async () => (await database.db.selectFrom("mails").select("dedupe_key").execute()).length
  const shown = async () => (await database.db.selectFrom("outbox_mails").select("id").execute()).length
  await tidyUp(inDays(29))
  expect([await keys(), await shown()]).toEqual([2, 1])
  await tidyUp(inDays(31))
  expect([await keys(), await shown()]).toEqual([1, 0])
})

test("links to a new password are forgotten once they count for no limit", async () => {
  const user_id = await createSeller(database)
  const createdAt = new Date()
  const expires_at = new Date(createdAt.getTime() + 1_800_000)
  await database.db
    .insertInto("password_resets")
    .values({ token_hash: Buffer.from("x"), user_id, created_at: createdAt, expires_at, ended_at: null })
    .execute()
  const left = async () => (await database.db.selectFrom("password_resets").select("user_id").execute()).length
  await tidyUp({ db: database.db, clock: systemClock })
  expect(await left()).toBe(1)
  await tidyUp(inDays(1))
  expect(await left()).toBe(0)
})

test("locked rows are left for the next run: tidying never waits for a lock, so it can't deadlock", async () => {
  const user_id = await createSeller(database)
  const [created_at, expires_at] = [new Date(), new Date(Date.now() - 1)]
  const hashes = ["held", "free"].map((name) => Buffer.from(name))
  for (const token_hash of hashes) {
    const row = { token_hash, user_id, created_at, expires_at }
    await database.db
      .insertInto("sessions")
      .values({ ...row, id: newId(), last_used_at: created_at, mac: "" })
      .execute()
    await database.db.insertInto("password_resets").values(row).execute()
    await database.db
      .insertInto("failed_logins")
      .values({ account_key: String(token_hash), address: "::1" })
      .execute()
  }
  const left = async () => [
    ...(await database.db.selectFrom("sessions").select("token_hash as of").execute()),
    ...(await database.db.selectFrom("password_resets").select("token_hash as of").execute()),
    ...(await database.db.selectFrom("failed_logins").select("account_key as of").execute()),
  ]
  await database.db.transaction().execute(async (tx) => {
    await tx.selectFrom("sessions").where("token_hash", "=", Buffer.from("held")).forUpdate().execute()
    await tx.selectFrom("password_resets").where("token_hash", "=", Buffer.from("held")).forUpdate().execute()
    await tx.selectFrom("failed_logins").where("account_key", "=", "held").forUpdate().execute()
    await tidyUp(inDays(1))
    expect((await left()).map(({ of }) => String(of))).toEqual(["held", "held", "held"])
  })
  await tidyUp(inDays(1))
  expect(await left()).toEqual([])
})

import { afterAll, expect, test } from "vitest"
import { secondsAfter, systemClock } from "#kit/clock"
import { newId } from "#kit/ids"
import { recordAudit } from "#platform/audit/record"
import { erasePersonalData } from "#start/retention"
import { createSeller } from "../../test-support/sandbox.ts"
import { saveSetting } from "../../test-support/save-setting.ts"
import { createTestDatabase } from "../../test-support/test-database.ts"

const database = await createTestDatabase()
const sellerId = await createSeller(database)

afterAll(() => database.drop())

const DAY = 86_400
const daysAgo = (days: number) => secondsAfter(new Date(), -days * DAY)
const erase = () => erasePersonalData({ db: database.db, clock: systemClock })

async function record(happenedAt: Date): Promise<string> {
  const entityId = newId()
  await database.db.transaction().execute((tx) =>
    recordAudit(tx, {
      actor: { id: sellerId, address: "203.0.113.7", device: "Firefox", requestId: "r" },
      ...{
        happenedAt,
        action: "session.opened",
        entity: "session",
        entityId,
        before: null,
        after: { userId: sellerId },
      },
    }),
  )
  return entityId
}

const recorded = (entityId: string) =>
  database.db.selectFrom("audit_records").selectAll().where("entity_id", "=", entityId).executeTakeFirstOrThrow()

test("the audit forgets addresses and devices after 180 days, and nothing else", async () => {
  const [old, young] = [await record(daysAgo(181)), await record(daysAgo(179))]
  const before = await recorded(old)
  await Promise.all([erase(), erase()])
  await erase()
  expect(await recorded(old)).toEqual({ ...before, actor_address: null, actor_device: null })
  expect(await recorded(young)).toMatchObject({ actor_address: "203.0.113.7", actor_device: "Firefox" })
})

test("with 0 the audit keeps addresses", async () => {
  await saveSetting(database.db, "ADDRESS_DAYS", 0)
  const old = await record(daysAgo(3_000))
  await erase()
  expect(await recorded(old)).toMatchObject({ actor_address: "203.0.113.7" })
  await saveSetting(database.db, "ADDRESS_DAYS", 180)
})

test("a young address can't be erased from the audit, nor any be changed", async () => {
  const [old, young] = [await record(daysAgo(100)), await record(daysAgo(1))]
  const set = (entityId: string, actor_address: string | null) =>
    database.db
      .updateTable("audit_records")
      .set({ actor_address, actor_device: null })
      .where("entity_id", "=", entityId)
      .execute()
  await expect(set(young, null)).rejects.toThrow(/append-only/)
  await expect(set(old, "198.51.100.1")).rejects.toThrow(/append-only/)
  await set(old, null)
  const rename = database.db.updateTable("audit_records").set({ action: "session.closed" }).where("entity_id", "=", old)
  await expect(rename.execute()).rejects.toThrow(/permission denied|append-only/)
})

test("keys and freezes forget the address, and keep the moment", async () => {
  const moment = daysAgo(181)
  const [keyId, freezeId] = [newId(), newId()]
  await database.db
    .insertInto("api_keys")
    .values({
      ...{
        id: keyId,
        user_id: sellerId,
        token_hash: Buffer.from(keyId),
        name: "Loja",
        hint: "x",
        scopes: ["pages:read"],
      },
      ...{ created_at: moment, last_used_at: moment, last_used_address: "203.0.113.7" },
    })
    .execute()
  await database.db
    .insertInto("freezes")
    .values({
      id: freezeId,
      user_id: sellerId,
      frozen_at: moment,
      address: "203.0.113.7",
      trusts_factors_until: moment,
    })
    .execute()
  await erase()
  const key = await database.db.selectFrom("api_keys").selectAll().where("id", "=", keyId).executeTakeFirstOrThrow()
  expect(key).toMatchObject({ last_used_address: "", last_used_at: moment })
  const freeze = await database.db
    .selectFrom("freezes")
    .selectAll()
    .where("id", "=", freezeId)
    .executeTakeFirstOrThrow()
  expect(freeze).toMatchObject({ address: "", frozen_at: moment })
})

test("answers to webhooks go after thirty days; that they came stays", async () => {
  const [endpoint, delivery] = [newId(), newId()]
  const deleted = { id: endpoint, seller_id: sellerId, url: "https://loja.example", types: [] }
  await database.db
    .insertInto("webhook_endpoints")
    .values({ ...deleted, created_at: daysAgo(60), deleted_at: new Date(), told_sequence: 0 })
    .execute()
  const occurred = { id: delivery, endpoint_id: endpoint, sequence: 1, occurred_at: daysAgo(60) }
  await database.db.insertInto("webhook_deliveries").values(occurred).execute()
  const attempt = (attempted_at: Date) => ({
    ...{ id: newId(), delivery_id: delivery, attempted_at, duration_ms: 5, url: "https://loja.example" },
    ...{ signature: "v1,x", status: 200, problem: null, answer: '{"ok":"Bruno"}' },
  })
  const [old, young] = [attempt(daysAgo(31)), attempt(daysAgo(29))]
  await database.db.insertInto("webhook_attempts").values([old, young]).execute()
  await erase()
  const left = await database.db.selectFrom("webhook_attempts").select(["id", "status", "answer"]).execute()
  expect(left.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    { id: old.id, status: 200, answer: null },
    { id: young.id, status: 200, answer: '{"ok":"Bruno"}' },
  ])
})

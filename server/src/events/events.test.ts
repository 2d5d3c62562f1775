import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { afterAll, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import { createTestDatabase } from "../../test-support/test-database.ts"
import { createEvents, publishChargeEvents } from "./events.ts"

const database = await createTestDatabase()
const events = createEvents({ url: database.url, log: createLog("silent") })
await untilListening()

afterAll(async () => {
  await events.stop()
  await database.drop()
})

async function asOwner(statement: string, values: unknown[] = []): Promise<{ pid: number }[]> {
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  return owner
    .query<{ pid: number }>(statement, values)
    .then(({ rows }) => rows)
    .finally(() => owner.end())
}

async function listeners(): Promise<number[]> {
  const rows = await asOwner(
    "select pid from pg_stat_activity where application_name = 'tilinta events' and query like 'listen%' and datname = current_database()",
  )
  return rows.map(({ pid }) => pid)
}

async function untilListening(): Promise<void> {
  while ((await listeners()).length === 0) await sleep(20)
}

async function publish(ids: string[]): Promise<void> {
  const all = ids.map((chargeId) => ({ chargeId, sellerId: newId() }))
  await database.db.transaction().execute((tx) => publishChargeEvents(tx, all))
}

test("each listener gets events of its own charge only, also in a batch larger than one notification", async () => {
  const ids = Array.from({ length: 250 }, () => newId())
  const heard: string[] = []
  const stops = ids.map((id) => events.onCharge(id, () => heard.push(id)))
  const strangers: string[] = []
  stops.push(events.onCharge(newId(), () => strangers.push("stranger")))
  await publish(ids)
  await expect.poll(() => heard.length).toBe(250)
  expect(new Set(heard)).toEqual(new Set(ids))
  expect(strangers).toEqual([])
  for (const stop of stops) stop()
})

test("a rolled-back transaction publishes nothing", async () => {
  const id = newId()
  let heard = 0
  const stop = events.onCharge(id, () => {
    heard += 1
  })
  const failing = database.db.transaction().execute(async (tx) => {
    await publishChargeEvents(tx, [{ chargeId: id, sellerId: newId() }])
    throw new Error("rolled back")
  })
  await expect(failing).rejects.toThrow("rolled back")
  await publish([newId()])
  await sleep(100)
  expect(heard).toBe(0)
  stop()
})

test("after a lost connection every subscriber reads again, and gets events again", async () => {
  const id = newId()
  let heard = 0
  const stop = events.onCharge(id, () => {
    heard += 1
  })
  const [pid] = await listeners()
  await asOwner("select pg_terminate_backend($1) as pid", [pid])
  await expect.poll(() => heard).toBe(1)
  await publish([id])
  await expect.poll(() => heard).toBe(2)
  stop()
})

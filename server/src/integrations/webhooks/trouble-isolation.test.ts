import { afterEach, beforeEach, expect, test } from "vitest"
import { eventWriter } from "#integrations/event-feed/routes"
import { systemClock } from "#kit/clock"
import { createLog } from "#kit/log"
import { createSeller } from "../../../test-support/sandbox.ts"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { tellEvents } from "../../../test-support/tell-events.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { confirmWebhook, startReceiver, type WebhookReceiver } from "../../../test-support/webhook-receiver.ts"
import { fanOutEvents } from "./deliver.ts"
import { createWebhook } from "./manage.ts"
import { createWebhookSender } from "./sender.ts"

let database: TestDatabase
let sellerId: string
let living: WebhookReceiver
let failing: WebhookReceiver
let failingId: string

const outside = { resolve: async () => ["127.0.0.1"], allowsLocal: true }

/** A seller's event for two endpoints: one that answers, and one whose failures are known. */
beforeEach(async () => {
  database = await createTestDatabase()
  sellerId = await createSeller(database)
  living = await startReceiver()
  failing = await startReceiver()
  await listen(living)
  failingId = await listen(failing)
  const failed = { failing_since: new Date(), last_problem: "refused" as const }
  await database.db.updateTable("webhook_endpoints").set(failed).where("id", "=", failingId).execute()
  await tellEvents(database, sellerId, 1)
})

afterEach(async () => {
  await Promise.all([living.stop(), failing.stop()])
  await database.drop()
})

async function listen({ url, trust }: WebhookReceiver): Promise<string> {
  const deps = { db: database.db, clock: systemClock, outside, secretKeys }
  const input = { owner: { id: sellerId, address: null }, url, types: [], idempotencyKey: null, proof: null }
  const { secret, webhook } = await createWebhook(deps, input)
  await confirmWebhook(database, webhook.id)
  trust(secret ?? "")
  return webhook.id
}

function openSender(db: TestDatabase["db"]) {
  const clocks = { clock: systemClock, dueClock: systemClock }
  return createWebhookSender({
    db,
    ...clocks,
    log: createLog("silent"),
    outside,
    secretKeys,
    writeEvent: eventWriter("http://localhost"),
  })
}

test("a living endpoint gets its event while the claim of one in trouble takes its time", async () => {
  await fanOutEvents({ db: database.db, clock: systemClock })
  const held = Promise.withResolvers<void>()
  const slow = database.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows.some((row) => row.lane === "failing")) await held.promise
      return result
    },
  })
  const sender = openSender(slow as TestDatabase["db"])
  const started = sender.startDue()
  await expect.poll(() => living.received.length).toBe(1)
  await started
  expect(failing.hits()).toBe(0)
  held.resolve()
  await sender.idle()
  expect(failing.received).toHaveLength(1)
})

test("a living endpoint is told while the failure of its seller's other one is being recorded", async () => {
  const deps = { db: database.db, clock: systemClock }
  await database.db.transaction().execute(async (tx) => {
    await tx.selectFrom("webhook_endpoints").select("id").where("id", "=", failingId).forNoKeyUpdate().execute()
    expect((await fanOutEvents(deps, [sellerId], "skip")).size).toBe(1)
  })
  expect([...(await fanOutEvents(deps, [sellerId], "wait"))]).toEqual([failingId])
  const sender = openSender(database.db)
  await sender.startDue()
  await sender.idle()
  expect([living.received.length, failing.received.length]).toEqual([1, 1])
})

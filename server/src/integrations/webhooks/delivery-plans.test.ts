import { afterAll, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { asOwner } from "../../../test-support/as-owner.ts"
import { buffersOf } from "../../../test-support/query-plans.ts"
import { createSeller } from "../../../test-support/sandbox.ts"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { tellEvents } from "../../../test-support/tell-events.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { confirmWebhook } from "../../../test-support/webhook-receiver.ts"
import { fanOutEvents } from "./deliver.ts"
import { createWebhook, listWebhooks } from "./manage.ts"
import { listDeliveries } from "./resend.ts"

const database = await createTestDatabase()
const sellerId = await createSeller(database)
const deps = {
  db: database.db,
  clock: systemClock,
  outside: { resolve: async () => [], allowsLocal: true },
  secretKeys,
}
const input = { owner: { id: sellerId, address: null }, types: [], idempotencyKey: null, proof: null }
const { webhook } = await createWebhook(deps, { ...input, url: "http://127.0.0.1:9/gancho" })
await confirmWebhook(database, webhook.id)
const own: { id: string; sellerId: string } = { id: webhook.id, sellerId }

afterAll(() => database.drop())

/** Pages of the database that the first part of the list, a later one and the endpoints with their counts take. */
async function costsAfter(events: number) {
  await tellEvents(database, own.sellerId, events)
  await fanOutEvents({ db: database.db, clock: systemClock })
  await asOwner(
    database,
    "update webhook_deliveries set delivered_at = now(), next_attempt_at = null where sequence % 20 > 0",
  )
  await asOwner(database, "vacuum webhook_deliveries")
  await asOwner(database, "analyze webhook_deliveries, events, webhook_endpoints")
  const { next } = await listDeliveries(database.db, own, { limit: 1_000 })
  return {
    first: await buffersOf(database, (db) => listDeliveries(db, own, { limit: 50 })),
    later: await buffersOf(database, (db) => listDeliveries(db, own, { limit: 50, after: next ?? undefined })),
    endpoints: await buffersOf(database, (db) => listWebhooks(db, own.sellerId)),
  }
}

test("lists of deliveries and endpoints cost no more with ten times the history", async () => {
  const young = await costsAfter(3_000)
  const old = await costsAfter(27_000)
  expect(old.first).toBeLessThan(young.first + 10)
  expect(old.later).toBeLessThan(young.later + 10)
  // Waiting deliveries are counted up to a thousand.
  expect(old.endpoints).toBeLessThan(150)
})

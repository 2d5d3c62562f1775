import { afterAll, expect, test } from "vitest"
import { eventWriter } from "#integrations/event-feed/routes"
import { systemClock } from "#kit/clock"
import { createLog } from "#kit/log"
import { unmovable } from "#platform/system/sandbox-clock"
import { createSeller } from "../../../test-support/sandbox.ts"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { tellEvents } from "../../../test-support/tell-events.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { startReceiver } from "../../../test-support/webhook-receiver.ts"
import { createWebhookRun } from "./jobs.ts"
import { createWebhook } from "./manage.ts"
import { createWebhookSender } from "./sender.ts"

const database = await createTestDatabase()

afterAll(() => database.drop())

test("is woken by the events of sellers who listen alone, and sends what they tell", async () => {
  const { db } = database
  const dueClock = unmovable(systemClock)
  const outside = { resolve: async () => [], allowsLocal: true }
  const log = createLog("silent")
  const sender = createWebhookSender({
    db,
    clock: systemClock,
    dueClock,
    log,
    outside,
    secretKeys,
    writeEvent: eventWriter("http://localhost"),
  })
  const listeners = new Map<string, () => void>()
  const events = {
    onEventsOf(sellerId: string, listener: () => void) {
      listeners.set(sellerId, listener)
      return () => void listeners.delete(sellerId)
    },
  }
  let wakings = 0
  const webhooks = createWebhookRun({ db, deliveriesDb: db, sender, clock: systemClock, dueClock, events }, () => {
    wakings += 1
  })
  const [sellerId] = [await createSeller(database), await createSeller(database)]
  const receiver = await startReceiver()
  const input = { owner: { id: sellerId, address: null }, url: receiver.url, types: [], idempotencyKey: null }
  const { secret } = await createWebhook({ db, clock: systemClock, outside, secretKeys }, { ...input, proof: null })
  receiver.trust(secret ?? "")
  await webhooks.run()
  await webhooks.idle()
  expect([...listeners.keys()]).toEqual([sellerId])

  await tellEvents(database, sellerId, 1)
  listeners.get(sellerId)?.()
  expect(wakings).toBe(1)
  await webhooks.run()
  await webhooks.idle()
  await sender.idle()
  expect(receiver.received).toHaveLength(1)
  webhooks.stop()
  expect(listeners.size).toBe(0)
  await receiver.stop()
})

import { afterAll, afterEach, beforeEach, expect, test } from "vitest"
import { eventWriter } from "#integrations/event-feed/routes"
import { secondsAfter, systemClock } from "#kit/clock"
import { createLog } from "#kit/log"
import type { OutsideAccess } from "#kit/outside"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { createSeller } from "../../../test-support/sandbox.ts"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { tellEvents } from "../../../test-support/tell-events.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { confirmWebhook, startReceiver, type WebhookReceiver } from "../../../test-support/webhook-receiver.ts"
import { fanOutEvents } from "./deliver.ts"
import { createWebhook, getWebhook } from "./manage.ts"
import { askSilentEndpoints, notifyOfOutages, releaseDeliveries } from "./outages.ts"
import { listDeliveries } from "./resend.ts"
import { createWebhookSender, type WebhookSender } from "./sender.ts"

let sellerId: string
let receiver: WebhookReceiver
let own: { id: string; sellerId: string }
let nodes: WebhookSender[]
/** The deliveries' clock, ahead of the machine's as a test moves it. */
let aheadSeconds = 0

const dueClock = { now: () => secondsAfter(systemClock.now(), aheadSeconds) }
const outside: OutsideAccess = { resolve: async () => ["127.0.0.1"], allowsLocal: true }
const day = 86_400

const database = await createTestDatabase()

/** An endpoint that fails, with events to hear. */
beforeEach(async () => {
  aheadSeconds = 0
  sellerId = await createSeller(database)
  receiver = await startReceiver()
  receiver.answer(500)
  const deps = { db: database.db, clock: systemClock, outside, secretKeys }
  nodes = [1, 2].map(() =>
    createWebhookSender({ ...deps, dueClock, log: createLog("silent"), writeEvent: eventWriter("http://localhost") }),
  )
  const input = { url: receiver.url, types: [], idempotencyKey: null, proof: null }
  const { secret, webhook } = await createWebhook(deps, { ...input, owner: { id: sellerId, address: null } })
  await confirmWebhook(database, webhook.id)
  receiver.trust(secret ?? "")
  own = { id: webhook.id, sellerId }
})

afterEach(async () => {
  await receiver.stop()
  await database.db.updateTable("webhook_endpoints").set({ deleted_at: new Date() }).execute()
})

afterAll(() => database.drop())

/** Does what the job does on two nodes at once, and waits for all that follows from it. */
async function run(): Promise<void> {
  const deps = { db: database.db, clock: systemClock, dueClock }
  await Promise.all(
    nodes.map(async (sender) => {
      while ((await releaseDeliveries(deps)) !== null);
      await fanOutEvents({ db: database.db, clock: dueClock })
      await askSilentEndpoints(deps)
      await sender.startDue()
      await sender.idle()
      await notifyOfOutages(deps)
    }),
  )
}

const sequences = () => receiver.received.map(({ event }) => event.sequence).sort((one, other) => one - other)
const deliveries = async () => (await listDeliveries(database.db, own, { limit: 100 })).deliveries

test("an endpoint whose deliveries all wait is asked with the oldest every 12 h, and its first answer releases the rest", async () => {
  await tellEvents(database, sellerId, 3)
  for (let tried = 0; tried < 3; tried += 1) {
    await run()
    aheadSeconds += 31
  }
  const allTried = { attempts: 19, next_attempt_at: null }
  await database.db.updateTable("webhook_deliveries").set(allTried).where("endpoint_id", "=", own.id).execute()
  const triesIn = async (hours: number) => {
    const before = receiver.hits()
    aheadSeconds += hours * 3_600
    await run()
    return receiver.hits() - before
  }
  expect([await triesIn(11), await triesIn(1), await triesIn(11), await triesIn(1)]).toEqual([0, 1, 0, 1])
  expect(await deliveries()).toMatchObject([3, 2, 1].map(() => ({ nextAttemptAt: null, deliveredAt: null })))
  receiver.answer(200)
  await triesIn(12)
  await run()
  expect(sequences()).toEqual([1, 2, 3])
  expect(await triesIn(12)).toBe(0)
})

test("an outage is told of by mail after an hour, whenever it is tried next", async () => {
  await tellEvents(database, sellerId, 1)
  await run()
  await database.db
    .updateTable("webhook_endpoints")
    .set({ rest_until: secondsAfter(new Date(), day) })
    .execute()
  const mails = database.db.selectFrom("mails").select("id").where("dedupe_key", "like", `webhook-failing:${own.id}:%`)
  for (const [pause, count] of [
    [3_590, 0],
    [20, 1],
    [day / 2, 1],
  ] as const) {
    aheadSeconds += pause
    await run()
    expect(await mails.execute()).toHaveLength(count)
  }
  expect(receiver.hits()).toBe(1)
  expect(await getWebhook(database.db, own)).toMatchObject({ failingSince: expect.any(Date) })
})

test("an outage is told of by mail once", async () => {
  const { email } = await database.db
    .selectFrom("users")
    .select("email")
    .where("id", "=", sellerId)
    .executeTakeFirstOrThrow()
  const mails = async () =>
    (await deliverMails({ db: database.db, clock: systemClock }, email)).filter(({ subject }) =>
      /respondendo/.test(subject),
    )
  await tellEvents(database, sellerId, 3)
  for (const pause of [0, 31, 60, 700]) {
    aheadSeconds += pause
    await run()
  }
  expect(await mails()).toEqual([])
  for (const pause of [3_600, 7_200, 14_400]) {
    aheadSeconds += pause
    await run()
  }
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail?.text).toContain(receiver.url)
  expect(mail?.text).toContain("status diferente de 2xx")

  receiver.answer(200)
  aheadSeconds += day
  await run()
  receiver.answer(500)
  await tellEvents(database, sellerId, 1)
  for (const pause of [0, 31, 4_000]) {
    aheadSeconds += pause
    await run()
  }
  expect(await mails()).toHaveLength(2)
})

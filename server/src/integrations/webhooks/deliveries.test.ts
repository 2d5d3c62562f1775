import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest"
import { eventWriter } from "#integrations/event-feed/routes"
import { secondsAfter, systemClock } from "#kit/clock"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import type { OutsideAccess } from "#kit/outside"
import { tidyUp } from "#start/retention"
import { createSeller } from "../../../test-support/sandbox.ts"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { tellEvents } from "../../../test-support/tell-events.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import {
  confirmWebhook,
  type Silence,
  startReceiver,
  startSilence,
  type WebhookReceiver,
} from "../../../test-support/webhook-receiver.ts"
import { fanOutEvents } from "./deliver.ts"
import { createWebhook, deleteWebhook, getWebhook } from "./manage.ts"
import { askSilentEndpoints, notifyOfOutages, releaseDeliveries } from "./outages.ts"
import { getDelivery, listDeliveries, resendDelivery, resendSince } from "./resend.ts"
import { createWebhookSender, type WebhookSender } from "./sender.ts"

let sellerId: string
let senders: WebhookSender[]
let receivers: WebhookReceiver[]
let silences: Silence[]
/** The deliveries' clock, ahead of the machine's as a test moves it. */
let aheadSeconds = 0

const log = createLog("silent")
const dueClock = { now: () => secondsAfter(systemClock.now(), aheadSeconds) }
const outside: OutsideAccess = { resolve: async () => ["127.0.0.1"], allowsLocal: true }
const day = 86_400

const database = await createTestDatabase()

beforeEach(async () => {
  aheadSeconds = 0
  senders = []
  receivers = []
  silences = []
  sellerId = await createSeller(database)
})

afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.idle()))
  await Promise.all(receivers.map((receiver) => receiver.stop()))
  for (const silence of silences) silence.close()
  await database.db.updateTable("webhook_endpoints").set({ deleted_at: new Date() }).execute()
})

afterAll(() => database.drop())

function openSender(access = outside): WebhookSender {
  const deps = {
    db: database.db,
    clock: systemClock,
    dueClock,
    log,
    outside: access,
    secretKeys,
    writeEvent: eventWriter("http://localhost"),
  }
  const sender = createWebhookSender(deps)
  senders.push(sender)
  return sender
}

/** Does what the job does in a run, and waits for all that follows from it. */
async function run(sender = senders[0] ?? openSender()): Promise<void> {
  while ((await releaseDeliveries({ db: database.db, dueClock })) !== null);
  await fanOutEvents({ db: database.db, clock: dueClock })
  await askSilentEndpoints({ db: database.db, dueClock })
  await sender.startDue()
  await sender.idle()
  await notifyOfOutages({ db: database.db, clock: systemClock, dueClock })
}

async function openReceiver(): Promise<WebhookReceiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

async function openSilence() {
  const silence = await startSilence()
  silences.push(silence)
  return silence
}

async function listen(
  receiver: Pick<WebhookReceiver, "url" | "trust">,
  types: ("page.created" | "page.updated")[] = [],
  owner = sellerId,
) {
  const deps = { db: database.db, clock: systemClock, outside, secretKeys }
  const actor = { id: owner, address: null }
  const input = { owner: actor, url: receiver.url, types, idempotencyKey: null, proof: null }
  const { secret, webhook } = await createWebhook(deps, input)
  await confirmWebhook(database, webhook.id)
  receiver.trust(secret ?? "")
  return { ...webhook, secret: secret ?? "", own: { id: webhook.id, sellerId: owner } }
}

const sequencesOf = ({ received }: WebhookReceiver) => received.map(({ event }) => event.sequence).sort((a, b) => a - b)
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at)
const healthOf = async ({ own }: Awaited<ReturnType<typeof listen>>) => getWebhook(database.db, own)
const deliveriesOf = async ({ own }: Awaited<ReturnType<typeof listen>>, limit = 100) =>
  (await listDeliveries(database.db, own, { limit })).deliveries

test("an event never leads to this machine for an endpoint whose owner may not name it", async () => {
  const receiver = await openReceiver()
  const webhook = await listen(receiver)
  await database.db.updateTable("webhook_endpoints").set({ allows_local: false }).execute()
  await tellEvents(database, sellerId, 1)
  await run()
  expect(receiver.hits()).toBe(0)
  expect(await deliveriesOf(webhook)).toMatchObject([{ lastStatus: null, lastProblem: "inside" }])
})

describe("an event", () => {
  test("reaches each endpoint that wants its type, signed, as the feed shows it, once", async () => {
    const [all, some] = [await openReceiver(), await openReceiver()]
    await tellEvents(database, sellerId, 2)
    const webhook = await listen(all)
    await listen(some, ["page.updated"])
    await tellEvents(database, sellerId, 3)
    await tellEvents(database, sellerId, 1, { type: "page.updated" })
    await run()
    await run()
    expect(sequencesOf(all)).toEqual([3, 4, 5, 6])
    expect(sequencesOf(some)).toEqual([6])
    const [first] = all.received
    expect(first?.event).toMatchObject({ id: expect.stringMatching(/^evt_/), type: "page.created" })
    expect(first?.headers["webhook-id"]).toBe(first?.event.id)
    expect(first?.headers["content-type"]).toBe("application/json; charset=utf-8")
    expect(await deliveriesOf(webhook)).toMatchObject(
      [6, 5, 4, 3].map((sequence) => ({ sequence, lastStatus: 200, lastProblem: null, nextAttemptAt: null })),
    )
  })

  test("is sent once by two nodes at once", async () => {
    const receiver = await openReceiver()
    await listen(receiver)
    await tellEvents(database, sellerId, 60)
    await Promise.all([run(openSender()), run(openSender())])
    await run()
    expect(sequencesOf(receiver)).toEqual(upTo(60))
  })

  test("is written for each endpoint once, however many fan out at the same time", async () => {
    const receiver = await openReceiver()
    const webhook = await listen(receiver)
    await tellEvents(database, sellerId, 1_200)
    await Promise.all(Array.from({ length: 4 }, () => fanOutEvents({ db: database.db, clock: dueClock })))
    expect((await deliveriesOf(webhook, 2_000)).map(({ sequence }) => sequence).toReversed()).toEqual(upTo(1_200))
  })

  test("is sent again once the lease expires, when the process died between claim and record", async () => {
    const receiver = await openReceiver()
    const webhook = await listen(receiver)
    await tellEvents(database, sellerId, 1)
    const dying = openSender({ ...outside, resolve: () => new Promise(() => undefined) })
    await database.db.updateTable("webhook_endpoints").set({ url: "http://loja.example/" }).execute()
    await fanOutEvents({ db: database.db, clock: dueClock })
    await dying.startDue()
    senders = []
    await database.db.updateTable("webhook_endpoints").set({ url: receiver.url }).where("id", "=", webhook.id).execute()
    await run()
    expect(receiver.received).toHaveLength(0)
    aheadSeconds += 31
    await run()
    expect(sequencesOf(receiver)).toEqual([1])
  })

  test("reaches an endpoint that is named by an event alone, also after an event that names none", async () => {
    const receiver = await openReceiver()
    await listen(receiver)
    const sender = openSender()
    await tellEvents(database, sellerId, 1)
    for (const sellers of [[], [newId()], [sellerId]]) {
      await sender.startDue(await fanOutEvents({ db: database.db, clock: dueClock }, sellers))
      await sender.idle()
    }
    expect(sequencesOf(receiver)).toEqual([1])
  })

  test("of another seller never arrives", async () => {
    const receiver = await openReceiver()
    await listen(receiver)
    await tellEvents(database, await createSeller(database), 5)
    await run()
    expect(receiver.hits()).toBe(0)
  })
})

describe("a failing endpoint", () => {
  test("is tried again after 5 s, 30 s, … 12 h for five days, then waits, and nothing is thrown away", async () => {
    const receiver = await openReceiver()
    const webhook = await listen(receiver)
    receiver.answer(500)
    await tellEvents(database, sellerId, 1)
    const waits: number[] = []
    for (;;) {
      await run()
      const [delivery] = await deliveriesOf(webhook)
      if (delivery === undefined || delivery.nextAttemptAt === null) break
      const wait = (delivery.nextAttemptAt.getTime() - dueClock.now().getTime()) / 1000
      waits.push(Math.ceil(wait))
      const tries = receiver.hits()
      aheadSeconds += wait - 1
      await run()
      expect(receiver.hits()).toBe(tries)
      aheadSeconds += 31
    }
    expect(waits.slice(0, 9)).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800])
    expect(waits.slice(9)).toEqual(Array.from({ length: 9 }, () => 43_200))
    expect(waits.reduce((sum, wait) => sum + wait)).toBeGreaterThan(5 * day)
    expect(await deliveriesOf(webhook)).toMatchObject([{ deliveredAt: null, lastStatus: 500 }])

    aheadSeconds += 3_600
    receiver.answer(200)
    await run()
    expect(receiver.received).toEqual([])
    const [delivery] = await deliveriesOf(webhook)
    await resendDelivery({ db: database.db, dueClock }, { id: delivery?.id ?? "", sellerId }, null)
    await run()
    expect(sequencesOf(receiver)).toEqual([1])
    const { attempts } = await getDelivery(
      { db: database.db, writeEvent: eventWriter("http://localhost") },
      { id: delivery?.id ?? "", sellerId },
    )
    expect(attempts).toHaveLength(waits.length + 2)
    expect(attempts[0]).toMatchObject({ status: 200, problem: null, url: receiver.url })
    expect(attempts[1]).toMatchObject({ status: 500, problem: "bad_status", answer: "Ops\u{fffd}, não deu" })
  })

  test("that comes back after a day gets all that it missed, by itself", async () => {
    const receiver = await openReceiver()
    const webhook = await listen(receiver)
    receiver.answer(503)
    await tellEvents(database, sellerId, 40)
    for (const pause of [0, 6, 60, 600, 3_600]) {
      aheadSeconds += pause
      await run()
    }
    expect(await healthOf(webhook)).toMatchObject({ failingSince: expect.any(Date), undelivered: 40 })
    aheadSeconds += day
    receiver.answer(200)
    await run()
    await run()
    expect(sequencesOf(receiver)).toEqual(upTo(40))
    expect(await healthOf(webhook)).toMatchObject({ failingSince: null, lastProblem: null, undelivered: 0 })
  })

  test("is not hammered: with a long backlog it is asked every half minute", async () => {
    const receiver = await openReceiver()
    await listen(receiver)
    receiver.answer(500)
    await tellEvents(database, sellerId, 500)
    for (let second = 0; second < 60; second += 1) {
      await run()
      aheadSeconds += 1
    }
    // The first claim is of a healthy endpoint.
    expect(receiver.hits()).toBeLessThan(25)
  })
})

describe("next to dead, slow and wrong endpoints", () => {
  const patience = 240_000

  test.each([
    ["that have never answered", null, 30],
    ["that answered until now", new Date(), 300],
  ])(
    "of 30 %s a living one gets everything before any has ended a first request",
    async (_which, deliveredAt, held) => {
      const [living, dead] = [await openReceiver(), await openSilence()]
      for (let number = 0; number < 3; number += 1) {
        const owner = await createSeller(database)
        for (let each = 0; each < 10; each += 1) await listen(dead, [], owner)
        await tellEvents(database, owner, 15)
      }
      await listen(living)
      await database.db.updateTable("webhook_endpoints").set({ last_delivered_at: deliveredAt }).execute()
      await tellEvents(database, sellerId, 60)
      // On a busy machine even a minute is over before sixty deliveries are.
      const sender = openSender({ ...outside, timeoutMs: patience + 60_000 })
      await fanOutEvents({ db: database.db, clock: dueClock })
      await sender.startDue()
      await expect.poll(() => [living.received.length, dead.open()], { timeout: patience }).toEqual([60, held])
      dead.end()
      await sender.idle()
      await run(sender)
      expect(sequencesOf(living)).toEqual(upTo(60))
    },
    patience + 120_000,
  )

  test("which half of the time answer 500, each gets each event", async () => {
    const [half, wrong, living] = [await openReceiver(), await openReceiver(), await openReceiver()]
    const webhooks = [await listen(half), await listen(wrong), await listen(living)]
    let turn = 0
    half.answer(() => (turn++ % 2 === 0 ? 500 : 200))
    wrong.answer(404)
    await tellEvents(database, sellerId, 50)
    await run()
    expect(sequencesOf(living)).toEqual(upTo(50))
    wrong.answer(200)
    for (let round = 0; half.received.length < 50 || wrong.received.length < 50; round += 1) {
      expect(round).toBeLessThan(50)
      aheadSeconds += 31
      await run()
    }
    expect([...new Set(sequencesOf(half))]).toEqual(upTo(50))
    expect([...new Set(sequencesOf(wrong))]).toEqual(upTo(50))
    expect(await Promise.all(webhooks.map(healthOf))).toMatchObject(webhooks.map(() => ({ undelivered: 0 })))
  })
})

describe("resending", () => {
  test("all since a moment is sent again, what came before isn't", async () => {
    const receiver = await openReceiver()
    const { own } = await listen(receiver)
    await tellEvents(database, sellerId, 3, { occurredAt: new Date("2026-11-01T10:00:00Z") })
    await tellEvents(database, sellerId, 4, { occurredAt: new Date("2026-11-02T10:00:00Z") })
    await run()
    receiver.received.length = 0
    const since = new Date("2026-11-02T00:00:00Z")
    const input = { ...own, since, idempotencyKey: "uma-vez" }
    const deps = { db: database.db, dueClock }
    expect(await resendSince(deps, input)).toBe(4)
    await run()
    expect(sequencesOf(receiver)).toEqual([4, 5, 6, 7])
    expect(await resendSince(deps, input)).toBe(4)
    await run()
    expect(receiver.received).toHaveLength(4)
    await expect(resendSince(deps, { ...input, sellerId: newId() })).rejects.toThrow("webhook_not_found")
  })

  test("a delivery that arrived once stays delivered when its repetition fails", async () => {
    const receiver = await openReceiver()
    const webhook = await listen(receiver)
    await tellEvents(database, sellerId, 1)
    await run()
    receiver.answer(500)
    const [delivery] = await deliveriesOf(webhook)
    await resendDelivery({ db: database.db, dueClock }, { id: delivery?.id ?? "", sellerId }, null)
    await run()
    expect(await deliveriesOf(webhook)).toMatchObject([{ deliveredAt: delivery?.deliveredAt, lastStatus: 500 }])
    expect(receiver.hits()).toBe(2)
  })
})

describe("a deleted endpoint", () => {
  test("gets nothing more, and what was being sent leaves no trace", async () => {
    const receiver = await openReceiver()
    const webhook = await listen(receiver)
    const held: (() => void)[] = []
    await tellEvents(database, sellerId, 1)
    await run()
    receiver.answer((_request, reply) => void held.push(() => reply.writeHead(500).end()))
    await tellEvents(database, sellerId, 30)
    const [sender = openSender()] = senders
    await fanOutEvents({ db: database.db, clock: dueClock })
    await sender.startDue()
    await expect.poll(() => held.length).toBe(10)
    const owner = { id: sellerId, address: null }
    await deleteWebhook({ db: database.db, clock: systemClock }, { id: webhook.id, owner })
    for (const release of held) release()
    await sender.idle()
    aheadSeconds += 2 * day
    await tellEvents(database, sellerId, 5)
    await run(sender)
    expect(receiver.hits()).toBe(11)
    await tidyUp({ db: database.db, clock: systemClock })
    const left = async (table: "webhook_deliveries" | "webhook_endpoints", column: "endpoint_id" | "id") =>
      database.db
        .selectFrom(table)
        .select("id")
        .where(column as "id", "=", webhook.id)
        .execute()
    expect(await left("webhook_endpoints", "id")).toEqual([])
    expect(await left("webhook_deliveries", "endpoint_id")).toEqual([])
  })
})

test("deliveries go with their events after the retention", async () => {
  const receiver = await openReceiver()
  const webhook = await listen(receiver)
  await tellEvents(database, sellerId, 2, { occurredAt: secondsAfter(new Date(), -91 * day) })
  await tellEvents(database, sellerId, 1)
  await run()
  await tidyUp({ db: database.db, clock: systemClock })
  expect((await deliveriesOf(webhook)).map(({ sequence }) => sequence)).toEqual([3])
})

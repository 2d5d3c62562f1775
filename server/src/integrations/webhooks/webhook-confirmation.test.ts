import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest"
import { eventWriter } from "#integrations/event-feed/routes"
import { secondsAfter, systemClock } from "#kit/clock"
import { createLog } from "#kit/log"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { createSeller } from "../../../test-support/sandbox.ts"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { tellEvents } from "../../../test-support/tell-events.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { type Program, startProgram } from "../../../test-support/webhook-receiver.ts"
import { fanOutEvents } from "./deliver.ts"
import { changeWebhook, createWebhook, getWebhook } from "./manage.ts"
import { notifyOfOutages, releaseDeliveries } from "./outages.ts"
import { getDelivery, listDeliveries, testWebhook } from "./resend.ts"
import { createWebhookSender, type WebhookSender } from "./sender.ts"

interface Heard {
  type: string
  sequence: number
  data: { challenge?: string }
}

type Answer = [status: number, body: string | Buffer, headers?: Record<string, string>]

let sellerId: string
let own: { id: string; sellerId: string }
let sender: WebhookSender
/** The messages that the receiver got since a test last took them. */
let heard: Heard[]
let receiver: Program
let answer: (event: Heard) => Answer | Promise<Answer>
/** The deliveries' clock stands still but for a test that moves it, so that nothing depends on how long it takes. */
let aheadSeconds = 0
const begin = systemClock.now()

const database = await createTestDatabase()
const dueClock = { now: () => secondsAfter(begin, aheadSeconds) }
const outside = { resolve: async () => ["127.0.0.1"], allowsLocal: true }
const deps = { db: database.db, clock: systemClock, dueClock, outside, secretKeys }
const obeys = ({ data }: Heard): Answer => [200, data.challenge ?? "ok"]

beforeEach(async () => {
  aheadSeconds = 0
  heard = []
  answer = obeys
  receiver = await startProgram(async (body) => {
    const event = JSON.parse(body) as Heard
    heard.push(event)
    return answer(event)
  })
  sellerId = await createSeller(database)
  sender = createWebhookSender({ ...deps, log: createLog("silent"), writeEvent: eventWriter("http://localhost") })
  own = await listen(receiver.url)
})

afterEach(async () => {
  await receiver.stop()
  await database.db.updateTable("webhook_endpoints").set({ deleted_at: new Date() }).execute()
})

afterAll(() => database.drop())

async function listen(url: string) {
  const owner = { id: sellerId, address: null }
  const { webhook } = await createWebhook(deps, { owner, url, types: [], idempotencyKey: null, proof: null })
  return { id: webhook.id, sellerId }
}

/** Does what the job does in a run, and waits for all that follows from it. */
async function run(): Promise<void> {
  await fanOutEvents({ db: database.db, clock: dueClock })
  await sender.startChallenges()
  await sender.idle()
  while ((await releaseDeliveries({ db: database.db, dueClock })) !== null);
  await sender.startDue()
  await sender.idle()
  await notifyOfOutages({ db: database.db, clock: systemClock, dueClock })
}

const webhook = () => getWebhook(database.db, own)
const takeHeard = () => heard.splice(0).map(({ type, sequence }) => (sequence === 0 ? type : sequence))
const outcomesOf = async () => {
  const { deliveries } = await listDeliveries(database.db, own, { limit: 1 })
  const delivery = { id: deliveries[0]?.id ?? "", sellerId }
  return getDelivery({ db: database.db, writeEvent: eventWriter("http://localhost") }, delivery)
}
const mailsOf = async () => {
  const { email } = await database.db
    .selectFrom("users")
    .select("email")
    .where("id", "=", sellerId)
    .executeTakeFirstOrThrow()
  return deliverMails({ db: database.db, clock: systemClock, protection: "relaxed" }, email)
}

describe("a new address", () => {
  test("gets its challenge first, and what happened meanwhile once it has answered", async () => {
    answer = () => [200, "ok"]
    await tellEvents(database, sellerId, 2)
    await run()
    expect(takeHeard()).toEqual(["webhook.challenge"])
    expect(await webhook()).toMatchObject({ confirmedAt: null, lastProblem: "unconfirmed", failingSince: null })
    answer = obeys
    await run()
    expect(takeHeard()).toEqual([])
    aheadSeconds += 5
    await run()
    expect(takeHeard().toSorted()).toEqual([1, 2, "webhook.challenge"])
    expect(await webhook()).toMatchObject({ confirmedAt: expect.any(Date), lastProblem: null })
    await run()
    expect(takeHeard()).toEqual([])
  })

  test.each<[string, (event: Heard) => Answer, boolean]>([
    ["the word", ({ data }) => [200, `${data.challenge}\n`], true],
    ["the word as a JSON text", ({ data }) => [201, JSON.stringify(data.challenge)], true],
    ["an object with the word", ({ data }) => [202, JSON.stringify({ challenge: data.challenge })], true],
    ["the whole message, as a site that echoes does", (event) => [200, JSON.stringify(event)], false],
    ["a page that shows the message", (event) => [200, `<pre>${JSON.stringify(event)}</pre>`], false],
    ["the word of another time", () => [200, "x".repeat(43)], false],
    ["nothing", () => [204, ""], false],
    ["the word with another status", ({ data }) => [400, data.challenge ?? ""], false],
    ["null", () => [200, "null"], false],
  ])("that answers %s: %s", async (_name, next, isConfirmed) => {
    answer = next
    await run()
    expect((await webhook()).confirmedAt !== null).toBe(isConfirmed)
  })

  test("is asked by several nodes once, and by a person at any time", async () => {
    const other = createWebhookSender({
      ...deps,
      log: createLog("silent"),
      writeEvent: eventWriter("http://localhost"),
    })
    answer = () => [500, ""]
    await Promise.all([sender.startChallenges(), other.startChallenges(), sender.startChallenges()])
    await Promise.all([sender.idle(), other.idle()])
    expect(takeHeard()).toEqual(["webhook.challenge"])
    expect(await testWebhook(deps, own)).toMatchObject({ problem: "bad_status", status: 500 })
    answer = obeys
    const outcomes = await Promise.all([1, 2, 3].map(() => testWebhook(deps, own)))
    expect(outcomes.map(({ problem }) => problem)).toEqual([null, null, null])
    expect(takeHeard()[0]).toBe("webhook.challenge")
    expect((await webhook()).confirmedAt).not.toBeNull()
    await testWebhook(deps, own)
    expect(takeHeard()).toEqual(["webhook.test"])
  })

  test("is left alone by the job after five days, and never gets an event", async () => {
    answer = () => [404, ""]
    await tellEvents(database, sellerId, 1)
    for (let day = 0; day < 9; day += 0.5) {
      await run()
      aheadSeconds += 43_200
    }
    const tries = takeHeard()
    expect(new Set(tries)).toEqual(new Set(["webhook.challenge"]))
    expect(tries).toHaveLength(18)
    for (let hour = 0; hour < 3; hour += 1) {
      aheadSeconds += 86_400
      await run()
    }
    expect(takeHeard()).toEqual([])
  })
})

test("another address is asked anew, and a request to the former one that ends later says nothing about it", async () => {
  await run()
  takeHeard()
  const elsewhere = await startProgram(async () => [200, "ok"])
  try {
    const change = { ...own, owner: { id: sellerId, address: null }, types: undefined, proof: null }
    answer = async () => {
      await changeWebhook(deps, { ...change, url: elsewhere.url })
      return [200, "ok"]
    }
    await tellEvents(database, sellerId, 2)
    await run()
    expect(takeHeard()).toHaveLength(1)
    expect(await webhook()).toMatchObject({ url: elsewhere.url, confirmedAt: null, lastDeliveredAt: null })
    answer = obeys
    await changeWebhook(deps, { ...change, url: receiver.url })
    await run()
    expect(takeHeard()).toEqual(["webhook.challenge", 2])
  } finally {
    await elsewhere.stop()
  }
})

describe("an answer of 410", () => {
  test("pauses at once, is mailed once, and a confirmation sends what waited", async () => {
    await run()
    takeHeard()
    answer = () => [410, "gone"]
    await tellEvents(database, sellerId, 1)
    await run()
    await tellEvents(database, sellerId, 1)
    for (let days = 0; days < 3; days += 1) {
      await run()
      aheadSeconds += 86_400
    }
    expect(takeHeard()).toEqual([1])
    expect(await webhook()).toMatchObject({ confirmedAt: null, lastProblem: "gone" })
    const mails = (await mailsOf()).filter(({ subject }) => subject === "Um dos seus webhooks foi pausado")
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain(receiver.url)
    answer = obeys
    expect(await testWebhook(deps, own)).toMatchObject({ problem: null })
    await run()
    expect(takeHeard().toSorted()).toEqual([1, 2, "webhook.challenge"])
  })

  test("to a challenge ends those that are sent by themselves", async () => {
    answer = () => [410, ""]
    await run()
    aheadSeconds += 86_400
    await run()
    expect(takeHeard()).toEqual(["webhook.challenge"])
  })

  test.each([401, 403, 404, 409, 429, 500, 501, 503])("%i pauses nothing: it is tried again", async (status) => {
    await run()
    answer = () => [status, ""]
    await tellEvents(database, sellerId, 1)
    await run()
    expect(await webhook()).toMatchObject({ confirmedAt: expect.any(Date), lastProblem: "bad_status" })
    takeHeard()
    aheadSeconds += 5
    await run()
    expect(takeHeard()).toEqual([1])
  })
})

describe("Retry-After", () => {
  test.each<[string, number, () => string, number]>([
    ["seconds", 429, () => "600", 600],
    ["a date", 503, () => new Date(Date.now() + 3_600_000).toUTCString(), 3_600],
    ["no more than a day", 503, () => "999999999", 86_400],
    ["less than the schedule", 429, () => "1", 5],
    ["none of the past", 503, () => "Wed, 21 Oct 2015 07:28:00 GMT", 5],
    ["no nonsense", 503, () => "logo", 5],
    ["of any other failure", 500, () => "60", 60],
  ])("is kept: %s", async (_name, status, retryAfter, seconds) => {
    await run()
    takeHeard()
    answer = () => [status, "", { "retry-after": retryAfter() }]
    await tellEvents(database, sellerId, 1)
    await run()
    const { delivery } = await outcomesOf()
    const wait = ((delivery.nextAttemptAt?.getTime() ?? 0) - dueClock.now().getTime()) / 1000
    expect(wait).toBeLessThanOrEqual(seconds)
    // A date is read a moment after it was written.
    expect(wait).toBeGreaterThanOrEqual(seconds === 3_600 ? seconds - 60 : seconds)
    takeHeard()
    answer = obeys
    await tellEvents(database, sellerId, 1)
    aheadSeconds += seconds / 2
    await run()
    // Nor does another event come earlier than it was asked for.
    expect(takeHeard()).toEqual(seconds > 5 ? [] : [2])
    aheadSeconds += seconds
    await run()
    expect(takeHeard().toSorted()).toEqual(seconds > 5 ? [1, 2] : [1])
  })

  test("of a challenge is kept, too", async () => {
    answer = () => [503, "", { "retry-after": "600" }]
    await run()
    aheadSeconds += 590
    await run()
    expect(takeHeard()).toEqual(["webhook.challenge"])
  })
})

test.each([
  [301, "/novo", "/novo"],
  [307, "https://loja.example/gancho", "https://loja.example/gancho"],
  [308, "?v=2", "/gancho?v=2"],
])("where a redirect leads is shown, and not followed: %i to %s", async (status, location, target) => {
  await run()
  answer = () => [status, "", { location }]
  await tellEvents(database, sellerId, 1)
  await run()
  const [attempt] = (await outcomesOf()).attempts
  const shown = target.startsWith("/") ? new URL(target, receiver.url).href : target
  expect(attempt).toMatchObject({ problem: "redirected", status, location: shown })
})

test.each<[string, Buffer]>([
  ["text/html; charset=ISO-8859-1", Buffer.from("Manutenção às 3h", "latin1")],
  ['text/plain; Charset="windows-1252"', Buffer.from("Manutenção às 3h", "latin1")],
  ["text/plain; charset=utf-16le", Buffer.from("Manutenção às 3h", "utf16le")],
  ["text/plain; charset=utf-8", Buffer.from("Manutenção às 3h")],
  ["text/plain; charset=nada", Buffer.from("Manutenção às 3h")],
  ["text/plain", Buffer.from("Manutenção às 3h")],
])("an answer is shown as it was meant: %s", async (contentType, body) => {
  await run()
  answer = () => [500, body, { "content-type": contentType }]
  await tellEvents(database, sellerId, 1)
  await run()
  expect((await outcomesOf()).attempts[0]).toMatchObject({ answer: "Manutenção às 3h" })
})

describe("an answer of 2xx while others fail", () => {
  test("sends again neither what is under way nor what failed within the first pause", async () => {
    await run()
    answer = obeys
    await tellEvents(database, sellerId, 1)
    await run()
    takeHeard()
    // A success of a healthy endpoint is noted once a minute.
    aheadSeconds = 100
    // Three at once: the first hangs, the second fails, and the third is answered after that.
    const held = Promise.withResolvers<Answer>()
    const failed = Promise.withResolvers<void>()
    const tries = new Map<number, number>()
    answer = async (event) => {
      const nth = (tries.get(event.sequence) ?? 0) + 1
      tries.set(event.sequence, nth)
      if (nth > 1) return [200, "ok"]
      if (event.sequence === 2) return held.promise
      if (event.sequence === 3) {
        failed.resolve()
        return [500, ""]
      }
      await failed.promise
      await expect.poll(async () => (await webhook()).failingSince).not.toBeNull()
      aheadSeconds = 101
      return [200, "ok"]
    }
    await tellEvents(database, sellerId, 3)
    await fanOutEvents({ db: database.db, clock: dueClock })
    await sender.startDue()
    const isDelivered = async () => (await listDeliveries(database.db, own, { limit: 1 })).deliveries[0]?.deliveredAt
    await expect.poll(isDelivered).not.toBeNull()
    expect((await webhook()).failingSince).toBeNull()
    for (aheadSeconds of [101, 102, 104]) {
      while ((await releaseDeliveries({ db: database.db, dueClock })) !== null);
      await sender.startDue()
    }
    expect([...tries.values()]).toEqual([1, 1, 1])
    held.resolve([200, "ok"])
    await sender.idle()
    aheadSeconds = 106
    await run()
    expect(Object.fromEntries(tries)).toEqual({ 2: 1, 3: 2, 4: 1 })
  })
})

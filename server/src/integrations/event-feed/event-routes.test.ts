import { setTimeout as sleep } from "node:timers/promises"
import type { ApiKeyScope } from "@tilinta/contract/vocabulary/api"
import { afterAll, expect, test } from "vitest"
import { createEvents, type Events } from "#events/events"
import { createLog } from "#kit/log"
import { numberEvents } from "#platform/event-log/append"
import { asOwner } from "../../../test-support/as-owner.ts"
import { insertApiKey } from "../../../test-support/insert-api-key.ts"
import { numberAllEvents } from "../../../test-support/number-all-events.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

let events: Events

let waits = 0

function countWait(sellerId: string, listener: () => void): () => void {
  const stop = events.onEventsOf(sellerId, listener)
  waits += 1
  return () => {
    waits -= 1
    stop()
  }
}

const site = await openTestApp({
  events: ({ url }) => {
    events = createEvents({ url, log: createLog("silent") })
    return { ...events, onEventsOf: countWait }
  },
})

afterAll(async () => {
  await events.stop()
  await site.close()
})

interface Seller {
  id: string
  token: string
}

async function newSeller(name: string): Promise<Seller> {
  const token = await site.signUp(`${name}@loja.example`)
  return { token, id: (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id }
}

async function createPage({ token }: Seller): Promise<string> {
  const body = { title: "Mentoria", slug: "mentoria", amount: 10, maxPayments: null }
  return (await site.call("POST", "/api/v1/checkout/pages", { token, body })).json.data.checkoutPage._id
}

const read = ({ token }: { token: string }, query = "") => site.call("GET", `/api/v1/events${query}`, { token })
const typesIn = (answer: Awaited<ReturnType<typeof read>>) =>
  answer.json.data.events.map(({ type }: { type: string }) => type)

test("events are read on from any number, a part at a time", async () => {
  const seller = await newSeller("partes")
  for (let page = 0; page < 5; page += 1) await createPage(seller)
  await numberAllEvents(site.db)
  const parts = []
  for (let after = 0, hasMore = true; hasMore; ) {
    const { data } = (await read(seller, `?after=${after}&limit=2`)).json
    parts.push(data.events.map(({ sequence }: { sequence: number }) => sequence))
    after = data.next
    hasMore = data.hasMore
  }
  expect(parts).toEqual([[1, 2], [3, 4], [5]])
  expect((await read(seller, "?after=5")).json.data).toEqual({ events: [], hasMore: false, next: 5 })
  const last = async (count: number) => (await read(seller, `?last=${count}`)).json.data
  const sequencesOf = ({ events }: { events: { sequence: number }[] }) => events.map(({ sequence }) => sequence)
  expect([sequencesOf(await last(2)), sequencesOf(await last(100))]).toEqual([
    [4, 5],
    [1, 2, 3, 4, 5],
  ])
  expect(await last(1)).toMatchObject({ events: [{ sequence: 5 }], hasMore: false, next: 5 })
  const [first] = (await read(seller, "?limit=1")).json.data.events
  expect(first).toMatchObject({ id: `evt_${seller.id.replaceAll("-", "")}_1`, type: "page.created" })
})

test("a filter passes what it doesn't want, in parts of bounded size", async () => {
  const seller = await newSeller("filtro")
  const id = await createPage(seller)
  await site.call("DELETE", `/api/v1/checkout/pages/${id}`, { token: seller.token })
  await numberAllEvents(site.db)
  await asOwner(
    site.database,
    `insert into event_drafts (occurred_at, seller_id, subject_id, type)
     select now(), '${seller.id}', '${id}', 'page.updated' from generate_series(1, 2500)`,
  )
  const other = await createPage(seller)
  await site.call("DELETE", `/api/v1/checkout/pages/${other}`, { token: seller.token })
  await numberAllEvents(site.db)
  const first = await read(seller, "?types=page.deleted,page.created")
  expect(typesIn(first)).toEqual(["page.created", "page.deleted"])
  expect(first.json.data).toMatchObject({ hasMore: true, next: 2_000 })
  const second = await read(seller, "?types=page.deleted,page.created&after=2000")
  expect(typesIn(second)).toEqual(["page.created", "page.deleted"])
  expect(second.json.data).toMatchObject({ hasMore: false, next: 2_504 })
})

test.each([
  ["types=charge.paid,nada", 400],
  ["types=", 400],
  ["after=-1", 400],
  ["after=x", 400],
  ["limit=0", 400],
  ["wait=21", 400],
  ["wait=1.5", 400],
  ["last=-1", 400],
  ["last=101", 400],
  ["last=1&after=1", 400],
  ["after=1", 422],
])("%s is refused with %i, in Portuguese", async (query, status) => {
  const seller = await newSeller(`errado-${query.replace(/\W/g, "-")}`)
  const answer = await read(seller, `?${query}`)
  expect(answer).toMatchObject({ status, json: { code: status === 400 ? "malformed_request" : "validation_failed" } })
  expect(answer.json.message).toMatch(/[Ii]nforme|evento|Parâmetro/)
})

test("a key needs the scope, and reads only its owner's events", async () => {
  const [seller, other] = [await newSeller("chave"), await newSeller("outra")]
  await createPage(seller)
  await numberAllEvents(site.db)
  const statusOf = async (scopes: ApiKeyScope[]) => {
    const { key } = await insertApiKey(site.db, seller.id, { scopes })
    return (await read({ token: key })).status
  }
  expect(await statusOf(["events:read"])).toBe(200)
  expect(await statusOf(["transactions:read", "pages:read", "withdrawals:read"])).toBe(403)
  const { key } = await insertApiKey(site.db, other.id, { scopes: ["events:read"] })
  expect((await read({ token: key })).json.data.events).toEqual([])
})

/** Numbers until the answer is there, as the job does. */
async function whileNumbering<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let isOver = false
  const over = answer.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await numberEvents(site)
    await sleep(20)
  }
  return over
}

test("whoever waits is answered by the next event, and not by another seller's", async () => {
  const [seller, other] = [await newSeller("espera"), await newSeller("alheia")]
  const waiting = read(seller, "?wait=20")
  await createPage(other)
  await numberAllEvents(site.db)
  await createPage(seller)
  expect(typesIn(await whileNumbering(waiting))).toEqual(["page.created"])
  const filtered = read(seller, "?wait=20&after=1&types=page.deleted")
  const id = await createPage(seller)
  await site.call("DELETE", `/api/v1/checkout/pages/${id}`, { token: seller.token })
  expect(typesIn(await whileNumbering(filtered))).toEqual(["page.deleted"])
})

test("a wait ends with its time, with the session and with the key", async () => {
  const seller = await newSeller("fim")
  expect((await read(seller, "?last=5")).json.data).toEqual({ events: [], hasMore: false, next: 0 })
  expect((await read(seller, "?wait=1")).json.data).toEqual({ events: [], hasMore: false, next: 0 })
  const waiting = read(seller, "?wait=20")
  await expect.poll(() => waits).toBe(1)
  await site.call("POST", "/api/v1/auth/logout", { token: seller.token })
  expect((await waiting).json.data.events).toEqual([])
  const again = await newSeller("fim2")
  const { id, key } = await insertApiKey(site.db, again.id)
  const ofKey = read({ token: key }, "?wait=20")
  await expect.poll(() => waits).toBe(1)
  await site.call("DELETE", `/api/v1/users/me/api-keys/${id}`, { token: again.token })
  expect((await ofKey).json.data.events).toEqual([])
  expect((await read({ token: key })).status).toBe(401)
  expect(waits).toBe(0)
})

test("a seller has so many places to wait, and a stopping server ends all of them", async () => {
  const seller = await newSeller("lugares")
  const statuses: number[] = []
  const waiting = Array.from({ length: 10 }, async () => {
    statuses.push((await read(seller, "?wait=20")).status)
  })
  await expect.poll(() => statuses).toEqual([429, 429])
  expect((await read(seller)).status).toBe(200)
  await site.app.close()
  await Promise.all(waiting)
  expect(statuses).toEqual([429, 429, ...Array.from({ length: 8 }, () => 200)])
})

import { setTimeout as sleep } from "node:timers/promises"
import type { TransactionsChanged } from "@tilinta/contract/vocabulary/events"
import { afterAll, expect, test } from "vitest"
import { createEvents, type Events, publishChargeEvents } from "#events/events"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"
import type { TestDatabase } from "../../../test-support/test-database.ts"

const heard: Events[] = []

async function openNode(sharedDatabase?: TestDatabase): Promise<{ site: TestApp; base: string }> {
  const site = await openTestApp({
    ...(sharedDatabase && { sharedDatabase }),
    events: ({ url }) => {
      const events = createEvents({ url, log: createLog("silent") })
      heard.push(events)
      return events
    },
  })
  await site.app.listen({ host: "127.0.0.1", port: 0 })
  const address = site.app.server.address()
  return { site, base: typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "" }
}

const { site, base } = await openNode()
/** A second node of the same installation. */
const other = await openNode(site.database)

afterAll(async () => {
  await Promise.all(heard.map((events) => events.stop()))
  await other.site.close()
  await site.close()
})

interface Seller {
  id: string
  token: string
  pageId: string
}

async function newSeller(email: string): Promise<Seller> {
  const token = await site.signUp(email)
  const id = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
  const body = { title: "Mentoria", slug: "mentoria", amount: 10, maxPayments: null }
  const page = await site.call("POST", "/api/v1/checkout/pages", { token, body })
  return { id, token, pageId: page.json.data.checkoutPage._id }
}

interface Stream {
  heard: TransactionsChanged[]
  hasEnded(): boolean
  close(): void
}

async function openStream({ token }: Pick<Seller, "token">, shop?: string, node = base): Promise<Stream> {
  const aborting = new AbortController()
  const response = await fetch(`${node}/api/v1/users/me/events`, {
    headers: { accept: "text/event-stream", authorization: `Bearer ${token}`, ...(shop && { "x-shop": shop }) },
    signal: aborting.signal,
  })
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"])
  const heard: TransactionsChanged[] = []
  let ended = false
  void read(response, heard)
    .catch(() => undefined)
    .finally(() => {
      ended = true
    })
  return { heard, hasEnded: () => ended, close: () => aborting.abort() }
}

async function read(response: Response, heard: TransactionsChanged[]): Promise<void> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const messages = text.split("\n\n")
    text = messages.pop() ?? ""
    for (const message of messages) {
      const [, data] = /^event: transactions\ndata: (.*)$/.exec(message) ?? []
      if (data !== undefined) heard.push(JSON.parse(data))
    }
  }
}

const publish = (sellerId: string, chargeIds: string[]) =>
  site.db.transaction().execute((tx) =>
    publishChargeEvents(
      tx,
      chargeIds.map((chargeId) => ({ chargeId, sellerId })),
    ),
  )

/** The subscription is active once an event has arrived. */
async function untilHeard(stream: Stream, seller: Seller, chargeId: string): Promise<void> {
  while (stream.heard.length === 0) {
    await publish(seller.id, [chargeId])
    await sleep(50)
  }
}

const pay = ({ id: sellerId, pageId }: Seller) =>
  insertCharge(site.db, { sellerId, pageId, at: "2026-11-21T12:00:00Z", status: "paid", payerName: "José" })

test("a seller gets an event of a payment, another one doesn't", async () => {
  const ana = await newSeller("ana1@loja.example")
  const bia = await newSeller("bia1@loja.example")
  const [ofAna, ofBia] = await Promise.all([openStream(ana), openStream(bia)])
  const chargeId = await pay(ana)
  await untilHeard(ofAna, ana, chargeId)
  const checkoutPage = { _id: ana.pageId, title: "Mentoria" }
  expect(ofAna.heard[0]).toEqual({
    transactions: [
      { _id: chargeId, status: "pago", grossAmount: 10, refundedAmount: 0, checkoutPage, payerName: "José" },
    ],
    more: false,
  })
  const ofBias = await pay(bia)
  // Even an event that names another seller's charge must reveal nothing of it.
  await publish(bia.id, [chargeId, ofBias])
  await expect.poll(() => ofBia.heard.length).toBeGreaterThan(0)
  expect(ofBia.heard.flatMap(({ transactions }) => transactions.map(({ _id }) => _id))).toEqual([ofBias])
  ofAna.close()
  ofBia.close()
})

test("a flood of changes is one message: read again", async () => {
  const seller = await newSeller("ana2@loja.example")
  const stream = await openStream(seller)
  await untilHeard(stream, seller, await pay(seller))
  await publish(
    seller.id,
    Array.from({ length: 500 }, () => newId()),
  )
  await expect.poll(() => stream.heard.some(({ more }) => more)).toBe(true)
  stream.close()
})

test("the stream ends with its session, and no other", async () => {
  const seller = await newSeller("ana3@loja.example")
  const login = { email: "ana3@loja.example", password: "senha-da-ana" }
  const { json } = await site.call("POST", "/api/v1/auth/login", { body: login })
  const here = await openStream(seller)
  const elsewhere = await openStream({ ...seller, token: json.token })
  await untilHeard(here, seller, await pay(seller))
  expect((await site.call("POST", "/api/v1/auth/logout", { token: seller.token })).status).toBeLessThan(300)
  await expect.poll(here.hasEnded).toBe(true)
  const before = elsewhere.heard.length
  await publish(seller.id, [await pay(seller)])
  await expect.poll(() => elsewhere.heard.length).toBeGreaterThan(before)
  expect(elsewhere.hasEnded()).toBe(false)
  elsewhere.close()
})

test("without a session there is no stream, and with too many there is no further one", async () => {
  expect((await site.call("GET", "/api/v1/users/me/events")).status).toBe(401)
  const seller = await newSeller("ana4@loja.example")
  const streams = await Promise.all(Array.from({ length: 8 }, () => openStream(seller)))
  const refused = await site.call("GET", "/api/v1/users/me/events", { token: seller.token })
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "30"])
  for (const stream of streams) stream.close()
  const status = async () => {
    const aborting = new AbortController()
    const headers = { accept: "text/event-stream", authorization: `Bearer ${seller.token}` }
    const response = await fetch(`${base}/api/v1/users/me/events`, { headers, signal: aborting.signal })
    aborting.abort()
    return response.status
  }
  await expect.poll(status).toBe(200)
})

test("a member hears the shop's changes on another node too, and nothing more once the role, the place or the shop is lost", async () => {
  const shop = await newSeller("ana7@loja.example")
  const members: Seller[] = []
  for (const name of ["bia7", "bia8", "bia9"]) {
    const member = await newSeller(`${name}@loja.example`)
    const place = { shop_id: shop.id, user_id: member.id, role: "manager", joined_at: site.clock.now() } as const
    await site.db.insertInto("shop_members").values(place).execute()
    members.push(member)
  }
  const streams = await Promise.all(members.map((member) => openStream(member, shop.id, other.base)))
  const chargeId = await pay(shop)
  for (const stream of streams) await untilHeard(stream, shop, chargeId)

  const [byRole, byPlace, byShop] = streams
  const path = (at: number) => `/api/v1/shops/${shop.id}/members/${members[at]?.id}`
  await site.call("PATCH", path(0), { token: shop.token, body: { role: "cashier" } })
  await expect.poll(() => byRole?.hasEnded()).toBe(true)
  expect(byPlace?.hasEnded()).toBe(false)
  await site.call("DELETE", path(1), { token: shop.token })
  await expect.poll(() => byPlace?.hasEnded()).toBe(true)
  expect(byShop?.hasEnded()).toBe(false)
  const admin = await newSeller("bia10@loja.example")
  await site.db.updateTable("users").set({ role: "admin" }).where("id", "=", admin.id).execute()
  const closed = await site.call("DELETE", `/api/v1/admin/users/${shop.id}`, { token: admin.token })
  expect(closed.status).toBe(204)
  await expect.poll(() => byShop?.hasEnded()).toBe(true)
})

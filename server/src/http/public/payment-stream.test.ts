import { afterAll, expect, test } from "vitest"
import { createEvents, type Events, publishChargeEvents } from "#events/events"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import { asOwner } from "../../../test-support/as-owner.ts"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

let events: Events

const site = await openTestApp({
  trustedProxies: ["loopback"],
  events: ({ url }) => {
    events = createEvents({ url, log: createLog("silent") })
    return events
  },
})
await site.app.listen({ host: "127.0.0.1", port: 0 })
const address = site.app.server.address()
const port: number = typeof address === "object" && address !== null ? address.port : 0
const token = await site.signUp("ana@loja.example")
const body = { title: "Mentoria", slug: "mentoria", amount: 10, maxPayments: null }
const page = await site.call("POST", "/api/v1/checkout/pages", { token, body })
const sellerId = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
const owner: { sellerId: string; pageId: string } = { sellerId, pageId: page.json.data.checkoutPage._id }

afterAll(async () => {
  await events.stop()
  await site.close()
})

const newCharge = () => insertCharge(site.db, { ...owner, at: "2026-11-21T12:00:00Z", status: "pending" })
const pathOf = (id: string) => `/api/v1/checkout/payment-status/${id}/stream`

async function openStream(id: string) {
  const response = await fetch(`http://127.0.0.1:${port}${pathOf(id)}`, { headers: { accept: "text/event-stream" } })
  const stream = { response, heard: [] as string[], hasEnded: false }
  void read(response, stream.heard)
    .catch(() => undefined)
    .finally(() => {
      stream.hasEnded = true
    })
  return stream
}

async function read(response: Response, heard: string[]): Promise<void> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const messages = text.split("\n\n")
    text = messages.pop() ?? ""
    heard.push(
      // Heartbeats may arrive at any time and are ignored.
      ...messages
        .filter((message) => !message.startsWith(":"))
        .map((message) => /^event: status\ndata: \{"status":"(\w+)"\}$/.exec(message)?.[1] ?? message),
    )
  }
}

test("one address has 200 streams in this process, and gets a place back when one ends; others aren't affected", async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, newCharge))
  let opened = 0
  const from = (address: string, leaving?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}${pathOf(ids[opened++ % ids.length] ?? "")}`, {
      headers: { accept: "text/event-stream", "x-forwarded-for": address },
      ...(leaving && { signal: leaving }),
    })
  const leaving = new AbortController()
  const streams = await Promise.all(
    Array.from({ length: 200 }, (_, n) => from(`2001:db8:0:1::${n.toString(16)}`, leaving.signal)),
  )
  expect(streams.every(({ status }) => status === 200)).toBe(true)
  const refused = await from("2001:db8:0:1::ffff")
  expect(refused.status).toBe(429)
  expect(refused.headers.get("retry-after")).toBe("30")
  const other = new AbortController()
  expect((await from("2001:db8:0:2::1", other.signal)).status).toBe(200)
  leaving.abort()
  other.abort()
  await expect
    .poll(async () => {
      const again = new AbortController()
      const { status } = await from("2001:db8:0:1::ffff", again.signal)
      again.abort()
      return status
    })
    .toBe(200)
})

const set = (id: string, text: string) => asOwner(site.database, `update charges set ${text} where id = '${id}'`)
const publish = (chargeId: string) =>
  site.db.transaction().execute((tx) => publishChargeEvents(tx, [{ chargeId, sellerId: owner.sellerId }]))

test("the status comes at once, again when it changes and not when it doesn't, also after a lost connection", async () => {
  const [id, neighbour] = [await newCharge(), await newCharge()]
  const stream = await openStream(id)
  const other = await openStream(neighbour)
  expect(stream.response.headers.get("content-type")).toBe("text/event-stream")
  expect(stream.response.headers.get("cache-control")).toBe("no-store")
  expect(stream.response.headers.get("x-frame-options")).toBe("DENY")
  await expect.poll(() => [stream.heard, other.heard]).toEqual([["pendente"], ["pendente"]])
  await set(id, "status = 'cancelled'")
  await expect
    .poll(
      async () => {
        // Repeated, because the first events may come before the subscription.
        await publish(id)
        return stream.heard
      },
      { timeout: 10_000 },
    )
    .toEqual(["pendente", "cancelado"])
  await publish(id)

  await set(neighbour, "status = 'paid', paid_at = now()")
  await asOwner(
    site.database,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'tilinta events' and datname = current_database()`,
  )
  await expect.poll(() => other.heard).toEqual(["pendente", "pago"])
  expect(stream.heard).toEqual(["pendente", "cancelado"])
  const again = await openStream(neighbour)
  await expect.poll(() => again.heard).toEqual(["pago"])
})

test("what never was has no stream, and HEAD opens none", async () => {
  const unknown = await site.call("GET", pathOf(newId()))
  expect([unknown.status, unknown.json.code]).toEqual([404, "payment_not_found"])
  expect((await site.call("HEAD", pathOf(await newCharge()))).status).toBe(405)
})

test("a server that stops ends its streams", async () => {
  const stream = await openStream(await newCharge())
  await expect.poll(() => stream.heard).toEqual(["pendente"])
  await site.app.close()
  await expect.poll(() => stream.hasEnded).toBe(true)
})

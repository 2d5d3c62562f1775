import { setTimeout as sleep } from "node:timers/promises"
import type { PostgresPool } from "kysely"
import { afterAll, expect, test } from "vitest"
import { createPool, withDeadline } from "#db/pools"
import { usualDeadlines } from "#kit/waiting-line"
import { openEdgeWorld } from "../../test-support/edge-world.ts"
import { createPage } from "../../test-support/sandbox.ts"

const connections = 4

let pool: PostgresPool

const customerInfo = { name: "Bia", email: "bia@exemplo.com", cpf: "52998224725", phone: "11987654321" }
const newPix = () =>
  world.call("POST", "/api/v1/checkout/process-modern-pix-payment", {
    body: { checkoutPageId: pageId, customerInfo },
  })

const world = await openEdgeWorld({
  pool(url) {
    const real = createPool({ url, max: connections, applicationName: "tilinta-test" })
    pool = withDeadline(real, { mostWaiting: 100, deadlines: usualDeadlines }).pool
    return pool
  },
})
const seller = await world.user()
const pageId = (await createPage(world, { sellerId: seller.id })).id
const transactionId: string = (await newPix()).json.data.transactionId

afterAll(async () => {
  await pool.end()
  await world.close()
})

const calls = {
  "a poll": () => world.call("GET", `/api/v1/checkout/payment-status/${transactionId}`),
  "a creation": newPix,
  "a webhook": () => world.call("POST", "/webhooks/simulator/segredo/pix", { body: { pix: [] } }),
  "a login": () =>
    world.call("POST", "/api/v1/auth/login", { body: { email: seller.email, password: "senha-da-ana" } }),
  "a list": () => world.call("GET", "/api/v1/payments/transactions", { token: seller.token }),
}

test("whoever would wait for more than a second for the database is refused, and served again as soon as it is free", async () => {
  const held = await Promise.all(Array.from({ length: connections }, () => pool.connect()))
  const refused = await Promise.all(Object.values(calls).map((call) => call()))
  for (const [at, name] of Object.keys(calls).entries()) {
    expect.soft(refused[at], name).toMatchObject({
      status: 503,
      json: { code: "overloaded" },
      headers: { "retry-after": "1" },
    })
  }
  for (const client of held) client.release()
  const served = await Promise.all(Object.values(calls).map((call) => call()))
  expect(served.map(({ status }) => status)).toEqual([200, 201, 200, 200, 200])
})

test("a request that was let in is answered, however long its next step waits for the database", async () => {
  const others = await Promise.all(Array.from({ length: connections - 1 }, () => pool.connect()))
  const connect = pool.connect
  const { promise: next, resolve: queue } = Promise.withResolvers<Awaited<ReturnType<PostgresPool["connect"]>>>()
  pool.connect = async () => {
    pool.connect = connect
    const client = await connect()
    // Stands in the queue before the request's own next step.
    void connect().then(queue)
    return client
  }
  const answer = world.call("PATCH", "/api/v1/users/updateMe", { token: seller.token, body: { name: "Bia Lima" } })
  const holder = await next
  await sleep(1_300)
  for (const client of [holder, ...others]) client.release()
  expect(await answer).toMatchObject({ status: 200, json: { data: { user: { name: "Bia Lima" } } } })
})

import { afterAll, beforeEach, expect, test } from "vitest"
import { createEvents, type Events } from "#events/events"
import { createLog } from "#kit/log"
import { bookPayments } from "#money/payments/book"
import { openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const bank = await openSandbox()
let events: Events
const site = await openTestApp({
  psp: bank.psp,
  events: ({ url }) => {
    events = createEvents({ url, log: createLog("silent") })
    return events
  },
})
await site.app.listen({ host: "127.0.0.1", port: 0 })

afterAll(async () => {
  await events.stop()
  await site.close()
  await bank.close()
})

interface Person {
  id: string
  token: string
}

let count = 0
async function person(): Promise<Person> {
  count += 1
  const token = await site.signUp(`pessoa${count}@padaria.example`)
  return { id: (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id, token }
}

let owner: Person
let bia: Person
beforeEach(async () => {
  // The rate limit of the codes begins anew.
  site.clock.pass(3_600)
  ;[owner, bia] = [await person(), await person()]
  await join("cashier")
})

const join = (role: "cashier" | "accountant") =>
  site.db
    .insertInto("shop_members")
    .values({ shop_id: owner.id, user_id: bia.id, role, joined_at: site.clock.now() })
    .execute()

type Method = "GET" | "POST" | "PATCH" | "DELETE"
const call = (who: Person, method: Method, path: string, body?: object) =>
  site.call(method, `/api/v1/${path}`, {
    token: who.token,
    ...(body && { body }),
    headers: { "x-shop": owner.id },
  })
const add = async (who = bia) => (await call(who, "POST", `shops/${owner.id}/screens`)).json.data.screen
const pair = (code: string, address = "203.0.113.9") =>
  site.app.inject({ method: "POST", url: "/api/v1/screens/pair", payload: { code }, remoteAddress: address })
const secretOf = async (code: string): Promise<string> => (await pair(code)).json().data.token
const read = (secret: string) => site.call("GET", "/api/v1/screens/current", { headers: { "x-screen": secret } })

async function sell(amount: number): Promise<string> {
  return (await call(bia, "POST", "charges", { amount, counter: true, description: "Segredo da casa" })).json.data
    .charge._id
}
const show = (screenId: string, transactionId: string | null, who = bia) =>
  call(who, "PATCH", `shops/${owner.id}/screens/${screenId}`, { transactionId })

async function pay(id: string): Promise<void> {
  const row = await site.db
    .selectFrom("charges")
    .select(["txid", "amount_cents"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
  const receipt = { ...receiptOf(String(row.txid), row.amount_cents), paidAt: site.clock.now() }
  await bookPayments({ ...bank, db: site.db, clock: site.clock }, [receipt])
}

test("a paired screen never sees more than the shop's face and the sale that its counter shows", async () => {
  const { _id, code } = await add()
  const secret = await secretOf(code.toLowerCase().replace("-", " "))
  expect((await read(secret)).json.data).toEqual({ shop: { name: "Ana Souza", color: "mint" }, sale: null })
  const [shown, other] = [await sell(12.5), await sell(99)]
  expect((await read(secret)).json.data.sale).toBeNull()
  expect((await show(_id, shown)).status).toBe(204)
  const { json, text } = await read(secret)
  expect(Object.keys(json.data.sale).sort()).toEqual(["amount", "expiresAt", "pixCode", "pixQrCodeBase64", "status"])
  expect(json.data.sale).toMatchObject({ amount: 12.5, status: "pendente" })
  for (const hidden of [shown, other, owner.id, bia.id, "Segredo", "@padaria", "payerToken"]) {
    expect(text).not.toContain(hidden)
  }
  await pay(shown)
  expect((await read(secret)).json.data.sale).toMatchObject({ status: "pago" })
  site.clock.pass(60)
  expect((await read(secret)).json.data.sale).toBeNull()
  // Its secret opens nothing else, in whichever header it is sent.
  for (const path of ["users/me", "counter/today", "payments/transactions", `shops/${owner.id}/screens`]) {
    const as = { token: secret, headers: { "x-screen": secret } }
    expect((await site.call("GET", `/api/v1/${path}`, as)).status).toBe(401)
  }
})

test("it shows sales of its own shop's counter alone, and only its own shop's people choose", async () => {
  const { _id } = await add()
  const avulsa = (await call(owner, "POST", "charges", { amount: 20 })).json.data.charge._id
  for (const id of [avulsa, "nada", owner.id]) expect((await show(_id, id)).json.code).toBe("transaction_not_found")
  const rival = await person()
  for (const [method, body] of [
    ["PATCH", { transactionId: null }],
    ["DELETE", undefined],
  ] as const) {
    const path = `/api/v1/shops/${rival.id}/screens/${_id}`
    expect((await site.call(method, path, { token: rival.token, ...(body && { body }) })).json.code).toBe(
      "screen_not_found",
    )
  }
})

test("a code works once, for ten minutes, and guesses are slowed down", async () => {
  const { code } = await add()
  const both = await Promise.all([pair(code), pair(code)])
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404])
  expect((await pair(code)).json().code).toBe("screen_code_wrong")
  const old = await add()
  site.clock.pass(600)
  expect((await pair(old.code)).json().code).toBe("screen_code_wrong")
  const guesses = await Promise.all(Array.from({ length: 30 }, () => pair("AAAA-BBBB", "203.0.113.50")))
  expect(guesses.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThanOrEqual(20)
  const stored = await site.db.selectFrom("shop_screens").selectAll().where("shop_id", "=", owner.id).execute()
  expect(JSON.stringify(stored)).not.toContain(code)
  for (let screens = 1; screens < 10; screens += 1) await add()
  expect((await call(bia, "POST", `shops/${owner.id}/screens`)).json.code).toBe("too_many_screens")
})

test.each([
  ["it is removed", async (id: string) => call(owner, "DELETE", `shops/${owner.id}/screens/${id}`)],
  [
    "its maker leaves, even if they come back",
    async () => {
      await call(owner, "DELETE", `shops/${owner.id}/members/${bia.id}`)
      site.clock.pass(1)
      await join("cashier")
    },
  ],
  [
    "its maker sells no more",
    async () => call(owner, "PATCH", `shops/${owner.id}/members/${bia.id}`, { role: "accountant" }),
  ],
  [
    "the account is frozen, even if that ends",
    async () => {
      const freeze = {
        id: owner.id,
        user_id: owner.id,
        frozen_at: site.clock.now(),
        trusts_factors_until: site.clock.now(),
      }
      await site.db
        .insertInto("freezes")
        .values({ ...freeze, address: "203.0.113.7", ended_at: site.clock.now(), ended_by: owner.id })
        .execute()
    },
  ],
  [
    "the shop is closed",
    async () => site.db.updateTable("users").set({ active: false }).where("id", "=", owner.id).execute(),
  ],
])("a screen ends when %s", async (_name, end) => {
  const { _id, code } = await add()
  const secret = await secretOf(code)
  expect((await read(secret)).status).toBe(200)
  site.clock.pass(1)
  await end(_id)
  const after = await read(secret)
  expect([after.status, after.json.code]).toEqual([404, "screen_not_found"])
})

test("its stream tells of each sale that the counter shows, of the payment, and ends with the screen", async () => {
  const { _id, code } = await add()
  const secret = await secretOf(code)
  const address = site.app.server.address()
  const port = typeof address === "object" ? address?.port : 0
  const stream = await fetch(`http://127.0.0.1:${port}/api/v1/screens/current/stream`, {
    headers: { accept: "text/event-stream", "x-screen": secret },
  })
  const shown: unknown[] = []
  let hasEnded = false
  void (async () => {
    let text = ""
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString()
      const messages = text.split("\n\n")
      text = messages.pop() ?? ""
      for (const message of messages) {
        const [, data] = /^event: screen\ndata: (.*)$/.exec(message) ?? []
        if (data !== undefined) shown.push(JSON.parse(data).sale?.status ?? null)
      }
    }
    hasEnded = true
  })()
  await expect.poll(() => shown).toEqual([null])
  const sale = await sell(12.5)
  await show(_id, sale)
  await expect.poll(() => shown).toEqual([null, "pendente"])
  await pay(sale)
  await expect.poll(() => shown).toEqual([null, "pendente", "pago"])
  await show(_id, null)
  await expect.poll(() => shown).toEqual([null, "pendente", "pago", null])
  await call(owner, "DELETE", `shops/${owner.id}/screens/${_id}`)
  await expect.poll(() => hasEnded).toBe(true)
})

import type { CreateApiKeyBody } from "@tilinta/contract/api-keys"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { newApiKey } from "#kit/secrets"
import { openEdgeWorld, type WorldUser } from "../../../test-support/edge-world.ts"
import { insertApiKey } from "../../../test-support/insert-api-key.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { sellerForm } from "../../../test-support/test-app.ts"

let owner: WorldUser

const world = await openEdgeWorld()

afterAll(() => world.close())

const url = "/api/v1/users/me/api-keys"
const shop: CreateApiKeyBody = {
  name: "Loja virtual",
  scopes: ["withdrawals:read", "pages:read"],
  passwordCurrent: sellerForm.password,
}

const create = (token: string, changes: Partial<CreateApiKeyBody> = {}, headers: Record<string, string> = {}) =>
  world.call("POST", url, { token, body: { ...shop, ...changes }, headers, from: "203.0.113.9" })
const list = async (token: string) => (await world.call("GET", url, { token })).json.data.apiKeys
const pages = (token: string, from = "203.0.113.10") => world.call("GET", "/api/v1/checkout/pages", { token, from })
const auditOf = async (id: string) =>
  (await world.db.selectFrom("audit_records").select("action").where("entity_id", "=", id).orderBy("id").execute()).map(
    ({ action }) => action,
  )

describe("creating", () => {
  beforeAll(async () => {
    owner = await world.user()
  })

  test("shows the key once, stores its hash, tells the owner by mail and the audit", async () => {
    const reply = await create(owner.token)
    expect(reply.status).toBe(201)
    const { key, apiKey } = reply.json.data
    expect(key).toMatch(/^tk_test_[0-9A-Za-z]{46}$/)
    expect(apiKey).toEqual({
      _id: expect.any(String),
      name: "Loja virtual",
      hint: `tk_test_…${key.slice(-4)}`,
      scopes: ["pages:read", "withdrawals:read"],
      createdAt: world.clock.now().toISOString(),
      expiresAt: null,
      lastUsedAt: null,
      lastUsedAddress: null,
    })
    expect(await list(owner.token)).toEqual([apiKey])
    const row = await world.db.selectFrom("api_keys").selectAll().where("id", "=", apiKey._id).executeTakeFirst()
    expect(JSON.stringify(row)).not.toContain(key.slice(8, -4))
    expect(await auditOf(apiKey._id)).toEqual(["api_key.created"])
    const [mail] = await deliverMails(world, owner.email)
    expect(mail?.text).toContain("Loja virtual")
    expect(mail?.text).toContain("203.0.113.9")
    expect(mail?.text).toContain("Ver as páginas de cobrança")
    expect(mail?.text).not.toContain(key)
  })

  test("real money's keys say so", async () => {
    await world.db.insertInto("money_kind").values({ kind: "real", chosen_at: world.clock.now() }).execute()
    expect((await create(owner.token)).json.data.key).toMatch(/^tk_live_/)
  })

  test("repeated with its Idempotency-Key, also at once, makes one key and shows it once", async () => {
    const seller = await world.user()
    const again = { "idempotency-key": "uma-vez" }
    const replies = await Promise.all([1, 2, 3].map(() => create(seller.token, {}, again)))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(replies.filter(({ json }) => json.data.key !== null)).toHaveLength(1)
    expect(new Set(replies.map(({ json }) => json.data.apiKey._id)).size).toBe(1)
    expect(await list(seller.token)).toHaveLength(1)
    expect((await create(seller.token, { name: "Outra" }, again)).json.code).toBe("idempotency_key_reused")
  })

  test.each<[string, object, number, string]>([
    ["without the password", { passwordCurrent: undefined }, 422, "passwordCurrent"],
    ["with a wrong password", { passwordCurrent: "outra-senha" }, 422, "passwordCurrent"],
    ["without a name", { name: " " }, 422, "name"],
    ["without a scope", { scopes: [] }, 422, "scopes"],
    ["with an unknown scope", { scopes: ["admin:write"] }, 400, "scopes.0"],
    ["that has expired already", { expiresAt: "2026-11-21T12:00:00Z" }, 422, "expiresAt"],
    ["with no date as expiry", { expiresAt: "amanhã" }, 400, "expiresAt"],
  ])("%s is refused", async (_name, changes, status, path) => {
    const seller = await world.user()
    world.clock.pass(300)
    const reply = await create(seller.token, changes)
    expect({ status: reply.status, path: reply.json.errors[0].path }).toEqual({ status, path })
    expect(await list(seller.token)).toEqual([])
  })

  test("the confirmation of the session is proof enough; a password that is sent must be right all the same", async () => {
    const seller = await world.user()
    world.clock.pass(300)
    expect((await create(seller.token, { passwordCurrent: undefined })).status).toBe(422)
    const stepUp = { token: seller.token, body: { password: sellerForm.password } }
    expect((await world.call("POST", "/api/v1/auth/step-up", stepUp)).status).toBe(200)
    expect((await create(seller.token, { passwordCurrent: undefined })).status).toBe(201)
    expect((await create(seller.token, { passwordCurrent: "outra-senha" })).status).toBe(422)
    world.clock.pass(300)
    expect((await create(seller.token, { passwordCurrent: undefined })).status).toBe(422)
  })

  test("wrong passwords here end in the login's own brake", async () => {
    const seller = await world.user()
    const statuses: number[] = []
    for (let at = 0; at < 20 && statuses.at(-1) !== 429; at += 1)
      statuses.push((await create(seller.token, { passwordCurrent: "chute" })).status)
    expect(statuses.at(-1)).toBe(429)
  })

  test("the 51st key is refused, also of two at once", async () => {
    const seller = await world.user()
    for (let made = 0; made < 49; made += 1) await insertApiKey(world.db, seller.id)
    const replies = await Promise.all([create(seller.token), create(seller.token)])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await list(seller.token)).toHaveLength(50)
  })
})

describe("using", () => {
  test("the list shows the last use and its address, written once a minute", async () => {
    const seller = await world.user()
    const { key } = (await create(seller.token)).json.data
    const usedAt = world.clock.now().toISOString()
    expect((await pages(key, "198.51.100.1")).status).toBe(200)
    world.clock.pass(60)
    expect((await pages(key, "198.51.100.2")).status).toBe(200)
    expect(await list(seller.token)).toMatchObject([{ lastUsedAt: usedAt, lastUsedAddress: "198.51.100.1" }])
    world.clock.pass(1)
    await pages(key, "198.51.100.2")
    expect(await list(seller.token)).toMatchObject([{ lastUsedAddress: "198.51.100.2" }])
  })

  test("an address that was erased is none", async () => {
    const seller = await world.user()
    const { id, key } = await insertApiKey(world.db, seller.id)
    const lastUsedAt = world.clock.now().toISOString()
    await pages(key, "198.51.100.1")
    await world.db.updateTable("api_keys").set({ last_used_address: "" }).where("id", "=", id).execute()
    expect(await list(seller.token)).toMatchObject([{ lastUsedAt, lastUsedAddress: null }])
  })

  test("what it does is in the audit under its owner, with its id and name; what the owner does isn't", async () => {
    const [seller, admin] = [await world.user(), await world.user("admin")]
    const { id, key } = await insertApiKey(world.db, seller.id)
    const webhook = { types: [], passwordCurrent: sellerForm.password }
    const created = await Promise.all(
      [key, seller.token].map((token, at) =>
        world.call("POST", "/api/v1/users/me/webhooks", {
          token,
          body: { ...webhook, url: `http://127.0.0.1:${at + 1}/` },
        }),
      ),
    )
    const actors = await Promise.all(
      created.map(async ({ json }) => {
        const path = `/api/v1/admin/audit-records?entity=webhook&entityId=${json.data.webhook._id}`
        const [record] = (await world.call("GET", path, { token: admin.token })).json.data.records
        return { actor: record.actor._id, apiKey: record.apiKey }
      }),
    )
    expect(actors).toEqual([
      { actor: seller.id, apiKey: { _id: id, name: "Loja virtual" } },
      { actor: seller.id, apiKey: null },
    ])
  })

  test("each change of a page by a key is in the audit, once and without the page's texts; a person's isn't", async () => {
    const [seller, admin] = [await world.user(), await world.user("admin")]
    const { id, key } = await insertApiKey(world.db, seller.id)
    const send = (token: string, method: "POST" | "PATCH" | "DELETE", path: string, body?: object, headers = {}) =>
      world.call(method, `/api/v1/${path}`, { token, headers, from: "203.0.113.11", ...(body && { body }) })
    async function work(token: string, name: string) {
      const page = { title: `Aula de ${name}`, slug: name, amount: 80, pixConfig: { allowAnonymous: true } }
      const [again, other] = [{ "idempotency-key": `${name}-1` }, { "idempotency-key": `${name}-2` }]
      const made = await Promise.all([1, 2].map(() => send(token, "POST", "checkout/pages", page, again)))
      const charge = { amount: 20, description: `Pedido de ${name}`, externalReference: `${name}@loja.example` }
      const [single] = await Promise.all([1, 2].map(() => send(token, "POST", "charges", charge, other)))
      const pageId = made[0]?.json.data.checkoutPage._id
      const change = { title: `Curso de ${name}`, amount: 90, maxPayments: null }
      const replies = [
        ...made,
        single,
        await send(token, "PATCH", `checkout/pages/${pageId}`, change),
        await send(token, "PATCH", `checkout/pages/${pageId}/cancel`),
        await send(token, "PATCH", `checkout/pages/${pageId}/cancel`),
        await send(token, "DELETE", `checkout/pages/${pageId}`),
      ]
      expect(replies.map((reply) => reply?.status)).toEqual([201, 201, 201, 200, 200, 409, 204])
      return [pageId, single?.json.data.charge.checkoutPage._id]
    }
    const recordsOf = async (pageId: string) => {
      const path = `/api/v1/admin/audit-records?entity=charge_page&entityId=${pageId}`
      return (await world.call("GET", path, { token: admin.token })).json.data.records.toReversed()
    }
    const [pageId, singleId] = await work(key, "ana")
    const records = await recordsOf(pageId)
    expect(records.map(({ action }: { action: string }) => action)).toEqual(
      ["created", "changed", "cancelled", "deleted"].map((action) => `charge_page.${action}`),
    )
    expect(records[1]).toMatchObject({
      actor: { _id: seller.id },
      apiKey: { _id: id, name: "Loja virtual" },
      actorAddress: "203.0.113.11",
      about: { user: { _id: seller.id } },
      changes: [
        { field: "amount", before: 80, after: 90 },
        { field: "maxPayments", before: 1, after: null },
        { field: "fields", before: null, after: "title" },
      ],
    })
    const ofSingle = await recordsOf(singleId)
    expect(ofSingle.map(({ action }: { action: string }) => action)).toEqual(["charge_page.charged"])
    expect(JSON.stringify([records, ofSingle])).not.toMatch(/Aula|Curso|Pedido|ana@/)
    for (const id of await work(seller.token, "bia")) expect(await recordsOf(id)).toEqual([])
  })

  test("a revoked key is refused at its next request, and revoking is told once", async () => {
    const seller = await world.user()
    const { id, key } = await insertApiKey(world.db, seller.id)
    expect((await pages(key)).status).toBe(200)
    const ends = await Promise.all([1, 2].map(() => world.call("DELETE", `${url}/${id}`, { token: seller.token })))
    expect(ends.map(({ status }) => status).sort()).toEqual([204, 404])
    const reply = await pages(key)
    expect([reply.status, reply.json.code]).toEqual([401, "api_key_invalid"])
    expect(await list(seller.token)).toEqual([])
    expect(await auditOf(id)).toEqual(["api_key.revoked"])
    for (const unknown of [newId(), "x"])
      expect((await world.call("DELETE", `${url}/${unknown}`, { token: seller.token })).status).toBe(404)
  })

  test("a key ends at its expiry", async () => {
    const seller = await world.user()
    const { key } = await insertApiKey(world.db, seller.id, { expiresAt: secondsAfter(world.clock.now(), 10) })
    world.clock.pass(9)
    expect((await pages(key)).status).toBe(200)
    world.clock.pass(1)
    expect((await pages(key)).status).toBe(401)
  })

  test("an inactive seller's key is refused, and works again with its owner", async () => {
    const seller = await world.user()
    const { key } = await insertApiKey(world.db, seller.id)
    for (const [active, status] of [
      [false, 401],
      [true, 200],
    ] as const) {
      await world.db.updateTable("users").set({ active }).where("id", "=", seller.id).execute()
      expect((await pages(key)).status).toBe(status)
    }
  })

  test("a key with a wrong checksum is refused without a limit, so before the database is asked", async () => {
    const key = newApiKey("test")
    const mistyped = key.slice(0, -1) + (key.endsWith("A") ? "B" : "A")
    const [wrong, unknown] = [await pages(mistyped), await pages(key)]
    expect([wrong.json.code, unknown.json.code]).toEqual(["api_key_invalid", "api_key_invalid"])
    expect([wrong.headers["ratelimit-limit"], unknown.headers["ratelimit-limit"]]).toEqual([undefined, "120"])
  })

  test("each key has a rate limit of its own, and every reply says what is left of it", async () => {
    const seller = await world.user()
    const [one, other] = [await insertApiKey(world.db, seller.id), await insertApiKey(world.db, seller.id)]
    const first = await pages(one.key)
    expect(first.headers).toMatchObject({
      "ratelimit-limit": "120",
      "ratelimit-remaining": "119",
      "ratelimit-reset": "1",
    })
    for (let asked = 1; asked < 120; asked += 1) await world.call("GET", "/api/v1/users/me", { token: one.key })
    const refused = await pages(one.key)
    expect(refused.status).toBe(429)
    expect(refused.headers).toMatchObject({ "ratelimit-remaining": "0", "ratelimit-reset": "12", "retry-after": "1" })
    expect((await pages(other.key)).status).toBe(200)
    world.clock.pass(1)
    expect((await pages(one.key)).status).toBe(200)
  })

  test("a key of an admin is no admin's, and no key makes, lists or revokes keys", async () => {
    const admin = await world.user("admin")
    const { id, key } = await insertApiKey(world.db, admin.id)
    for (const [method, path] of [
      ["GET", "/api/v1/admin/users"],
      ["GET", url],
      ["POST", url],
      ["DELETE", `${url}/${id}`],
    ] as const) {
      const { status, json } = await world.call(method, path, { token: key, body: shop })
      expect([path, status, json.code]).toEqual([path, 403, "api_key_not_accepted"])
    }
  })
})

describe("withdrawing with a key", () => {
  const withdraw = (token: string, pixKey: string, headers = {}) =>
    world.call("POST", "/api/v1/withdrawals", { token, body: { amount: 10, paymentMethod: "pix", pixKey }, headers })
  const complete = (id: string) =>
    world.db
      .updateTable("withdrawals")
      .set({ status: "completed", provider: "x", approved_at: world.clock.now(), processed_at: world.clock.now() })
      .where("id", "=", id)
      .execute()

  test("goes only where a withdrawal requested in the browser has arrived", async () => {
    const seller = await world.user()
    const { key } = await insertApiKey(world.db, seller.id)
    const [own, foreign] = ["ana@loja.example", "ladra@loja.example"]
    expect((await withdraw(key, own)).json.code).toBe("withdrawal_destination_unproven")

    const byBrowser = (await withdraw(seller.token, own)).json.data.withdrawal._id
    expect((await withdraw(key, own)).status).toBe(403)
    await complete(byBrowser)
    const again = { "idempotency-key": "saque-1" }
    const replies = await Promise.all([1, 2].map(() => withdraw(key, own, again)))
    expect(replies.map(({ status }) => status)).toEqual([201, 201])
    expect(new Set(replies.map(({ json }) => json.data.withdrawal._id)).size).toBe(1)
    expect((await withdraw(key, foreign)).status).toBe(403)
  })

  test("one that a key requested proves nothing, nor does another seller's", async () => {
    const [seller, neighbour] = [await world.user(), await world.user()]
    const { id, key } = await insertApiKey(world.db, seller.id)
    await complete((await withdraw(neighbour.token, "bia@loja.example")).json.data.withdrawal._id)
    expect((await withdraw(key, "bia@loja.example")).status).toBe(403)

    const made = (await withdraw(seller.token, "bia@loja.example")).json.data.withdrawal._id
    await complete(made)
    expect((await withdraw(key, "bia@loja.example")).status).toBe(201)
    const rows = await world.db
      .selectFrom("withdrawals")
      .select("api_key_id")
      .where("seller_id", "=", seller.id)
      .execute()
    expect(rows.map(({ api_key_id }) => api_key_id).sort()).toEqual([id, null])
  })

  test("to a bank account, too", async () => {
    const seller = await world.user()
    const { key } = await insertApiKey(world.db, seller.id)
    const bankData = { bank: "001", agency: "1234", account: "56789-0", accountType: "corrente" }
    const transfer = (token: string, account = bankData.account) =>
      world.call("POST", "/api/v1/withdrawals", {
        token,
        body: { amount: 10, paymentMethod: "bank_transfer", bankData: { ...bankData, account } },
      })
    await complete((await transfer(seller.token)).json.data.withdrawal._id)
    expect([(await transfer(key)).status, (await transfer(key, "56789-1")).status]).toEqual([201, 403])
  })
})

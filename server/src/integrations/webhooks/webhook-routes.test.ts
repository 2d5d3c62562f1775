import { MAX_PASSWORD_LENGTH } from "@tilinta/contract/auth"
import type { ChangeWebhookBody, CreateWebhookBody } from "@tilinta/contract/webhooks"
import pg from "pg"
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest"
import { hashPassword } from "#people/users/passwords"
import { openEdgeWorld, type WorldUser } from "../../../test-support/edge-world.ts"
import { insertApiKey } from "../../../test-support/insert-api-key.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { countWaiting } from "../../../test-support/races.ts"
import { tellEvents } from "../../../test-support/tell-events.ts"
import { sellerForm } from "../../../test-support/test-app.ts"
import { confirmWebhook, startReceiver, type WebhookReceiver } from "../../../test-support/webhook-receiver.ts"
import { fanOutEvents } from "./deliver.ts"

let owner: WorldUser
let receiver: WebhookReceiver

// The owner calls from one of the operator's own networks, from which the sandbox's bank may be steered, too.
const world = await openEdgeWorld({ networks: ["203.0.113.0/24"] })

beforeEach(async () => {
  owner = await world.user()
  receiver = await startReceiver()
})

afterEach(() => receiver.stop())

afterAll(() => world.close())

const path = "/api/v1/users/me/webhooks"
const url = "http://127.0.0.1:9/gancho"
const form: CreateWebhookBody = { url, types: ["charge.paid"], passwordCurrent: sellerForm.password }

const create = (changes: Partial<CreateWebhookBody> = {}, headers: Record<string, string> = {}, token = owner.token) =>
  world.call("POST", path, { token, body: { ...form, ...changes }, headers, from: "203.0.113.9" })
const change = (id: string, body: ChangeWebhookBody, token = owner.token) =>
  world.call("PATCH", `${path}/${id}`, { token, body, from: "203.0.113.10" })
const post = (address: string, body: object = {}, headers: Record<string, string> = {}, token = owner.token) =>
  world.call("POST", `${path}/${address}`, { token, body, headers })
const get = (address: string, token = owner.token) => world.call("GET", `${path}/${address}`, { token })
const list = async () => (await world.call("GET", path, { token: owner.token })).json.data.webhooks
const auditOf = async (id: string) =>
  (await world.db.selectFrom("audit_records").select("action").where("entity_id", "=", id).orderBy("id").execute()).map(
    ({ action }) => action,
  )

async function created(changes: Partial<CreateWebhookBody> = {}) {
  const reply = await create(changes)
  expect(reply.status).toBe(201)
  return { secret: reply.json.data.secret as string, id: reply.json.data.webhook._id as string }
}

describe("creating", () => {
  test("shows the secret once, tells the owner by mail and the audit", async () => {
    const reply = await create({ types: ["charge.refunded", "charge.paid", "charge.paid"] })
    expect(reply.status).toBe(201)
    const { secret, webhook } = reply.json.data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(webhook).toEqual({
      ...{
        _id: expect.any(String),
        url,
        types: ["charge.paid", "charge.refunded"],
        health: "unconfirmed",
        undelivered: 0,
      },
      ...{ failingSince: null, lastProblem: null, lastDeliveredAt: null, formerSecretUntil: null },
      createdAt: world.clock.now().toISOString(),
    })
    expect(await list()).toEqual([webhook])
    expect((await get(webhook._id)).json.data).toEqual({ webhook })
    expect(JSON.stringify([await list(), (await get(webhook._id)).json])).not.toContain(secret)
    expect(await auditOf(webhook._id)).toEqual(["webhook.created"])
    const [mail] = await deliverMails(world, owner.email)
    expect(mail?.text).toContain(url)
    expect(mail?.text).toContain("203.0.113.9")
    expect(mail?.text).not.toContain(secret)
  })

  test("repeated with its Idempotency-Key, also at once, makes one and shows its secret once", async () => {
    const again = { "idempotency-key": "uma-vez" }
    const replies = await Promise.all([1, 2, 3].map(() => create({}, again)))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(replies.filter(({ json }) => json.data.secret !== null)).toHaveLength(1)
    expect(await list()).toHaveLength(1)
    expect((await create({ url: `${url}/outro` }, again)).json.code).toBe("idempotency_key_reused")
  })

  test.each<[string, Partial<CreateWebhookBody>, number, string]>([
    ["without the password", { passwordCurrent: undefined }, 422, "passwordCurrent"],
    ["with a wrong password", { passwordCurrent: "outra-senha" }, 422, "passwordCurrent"],
    ["without an address", { url: " " }, 422, "url"],
    ["with half an address", { url: "loja.example/gancho" }, 422, "url"],
    ["with another protocol", { url: "ftp://8.8.8.8/" }, 422, "url"],
    ["with a password in the address", { url: "https://ana:segredo@8.8.8.8/" }, 422, "url"],
    ["to the cloud's metadata", { url: "http://169.254.169.254/latest/meta-data" }, 422, "url"],
    ["to a network inside", { url: "http://[::ffff:10.0.0.1]/" }, 422, "url"],
    ["to a name that nobody knows", { url: "https://nada.example/" }, 422, "url"],
    ["with an unknown type", { types: ["charge.vanished" as "charge.paid"] }, 400, "types.0"],
  ])("%s is refused", async (_name, changes, status, field) => {
    world.clock.pass(300)
    const reply = await create(changes)
    expect({ status: reply.status, field: reply.json.errors[0].path }).toEqual({ status, field })
    expect(await list()).toEqual([])
  })

  test("the longest password that an account may have is one", async () => {
    const password = "senha ".repeat(50).slice(0, MAX_PASSWORD_LENGTH)
    const longest = { password_hash: await hashPassword(password) }
    await world.db.updateTable("users").set(longest).where("id", "=", owner.id).execute()
    world.clock.pass(300)
    expect((await create({ passwordCurrent: `${password}!` })).json.errors[0].message).toBe("A senha é longa demais.")
    expect((await create({ passwordCurrent: password })).status).toBe(201)
  })

  test("the eleventh is refused, also of two at once", async () => {
    for (let made = 0; made < 9; made += 1) await created({ url: `${url}/${made}` })
    const replies = await Promise.all([create(), create()])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await list()).toHaveLength(10)
  })

  test("a key with the scope needs no password, another key is refused", async () => {
    const { key } = await insertApiKey(world.db, owner.id, { scopes: ["webhooks:write"] })
    expect((await create({ passwordCurrent: undefined }, {}, key)).status).toBe(201)
    const { key: other } = await insertApiKey(world.db, owner.id, { scopes: ["pages:write"] })
    expect((await create({ passwordCurrent: undefined }, {}, other)).json.code).toBe("api_key_scope_missing")
  })
})

describe("a stranger, whom the sandbox's bank doesn't obey", () => {
  const from = "198.51.100.7"
  const call = (method: "POST" | "PATCH", id: string, body: object, headers = {}) =>
    world.call(method, path + id, {
      token: owner.token,
      from,
      headers,
      body: { passwordCurrent: form.passwordCurrent, ...body },
    })
  const addresses = [
    ...["http://127.0.0.1:9/", "https://127.0.0.1:9/", "https://localhost/", "https://x.localhost:8443/"],
    ...[
      "https://[::1]/",
      "https://[::ffff:127.0.0.1]/",
      "https://2130706433/",
      "https://0.0.0.0/",
      "https://10.0.0.1/",
    ],
    "http://8.8.8.8/",
  ]

  test.each(addresses)("can't name %s, in a new endpoint or an old one", async (address) => {
    const { id } = await created({ url: "https://8.8.8.8/" })
    world.clock.pass(300)
    for (const reply of [
      await call("POST", "", { ...form, url: address }),
      await call("PATCH", `/${id}`, { url: address }),
      await world.call("PATCH", `${path}/${id}`, {
        ...{ token: owner.token, from: "127.0.0.1", headers: { "x-forwarded-for": from } },
        body: { url: address, passwordCurrent: form.passwordCurrent },
      }),
    ]) {
      expect({ status: reply.status, path: reply.json.errors[0].path }).toEqual({ status: 422, path: "url" })
    }
    expect(await list()).toMatchObject([{ url: "https://8.8.8.8/" }])
  })

  test("with an API key can't either", async () => {
    const { key } = await insertApiKey(world.db, owner.id, { scopes: ["webhooks:write"] })
    const body = { url: receiver.url, types: [] }
    expect((await world.call("POST", path, { token: key, from, body })).status).toBe(422)
    expect((await world.call("POST", path, { token: key, body })).status).toBe(201)
  })

  test("reaches nothing here by a name that leads here later, and may change the types of an endpoint that does", async () => {
    const theirs = (await call("POST", "", { ...form, url: "https://8.8.8.8/" })).json.data.webhook._id
    const { id: own } = await created({ url: receiver.url })
    await world.db.updateTable("webhook_endpoints").set({ url: receiver.url }).where("id", "=", theirs).execute()
    expect((await call("PATCH", `/${own}`, { types: [] })).status).toBe(200)
    expect((await post(`${theirs}/test`)).json.data.test).toMatchObject({
      isDelivered: false,
      problem: "inside",
      status: null,
    })
    expect(receiver.hits()).toBe(0)
    await post(`${own}/test`)
    expect(receiver.hits()).toBe(1)
    await call("PATCH", `/${own}`, { url: "https://8.8.4.4/" })
    await world.db.updateTable("webhook_endpoints").set({ url: receiver.url }).where("id", "=", own).execute()
    expect((await post(`${own}/test`)).json.data.test).toMatchObject({ problem: "inside" })
    expect(receiver.hits()).toBe(1)
  })
})

describe("changing", () => {
  test("the types needs no password, the address does, and its owner hears of it", async () => {
    const { id } = await created()
    expect((await change(id, { types: [] })).json.data.webhook.types).toEqual([])
    await deliverMails(world, owner.email)
    world.clock.pass(300)
    const moved = { url: "http://127.0.0.1:9/novo" }
    expect((await change(id, moved)).json.errors).toEqual([
      { path: "passwordCurrent", message: "Informe a sua senha atual." },
    ])
    const reply = await change(id, { ...moved, passwordCurrent: sellerForm.password })
    expect(reply.json.data.webhook).toMatchObject(moved)
    expect(await auditOf(id)).toEqual(["webhook.created", "webhook.changed", "webhook.changed"])
    const [mail] = await deliverMails(world, owner.email)
    expect(mail?.text).toContain(moved.url)
    expect(mail?.text).toContain(url)
    expect((await change(id, { url: "http://10.0.0.1/", passwordCurrent: sellerForm.password })).status).toBe(422)
  })

  test.each<[string, ChangeWebhookBody]>([
    ["the types", { types: ["page.created"] }],
    ["the types, and sends the address that it knows", { url, types: ["page.created"] }],
  ])("%s next to another change of the address keeps the new address", async (_name, body) => {
    const { id } = await created()
    const moved = "http://127.0.0.1:9/novo"
    const mover = new pg.Client({ connectionString: world.database.url })
    const watcher = new pg.Client({ connectionString: world.database.url })
    await Promise.all([mover.connect(), watcher.connect()])
    try {
      await mover.query("begin")
      await mover.query("update webhook_endpoints set url = $1 where id = $2", [moved, id])
      const reply = change(id, body)
      await expect.poll(() => countWaiting(watcher)).toBe(1)
      await mover.query("commit")
      expect((await reply).json.data.webhook).toMatchObject({ url: moved, types: ["page.created"] })
    } finally {
      await Promise.all([mover.end(), watcher.end()])
    }
    expect(await list()).toMatchObject([{ url: moved, types: ["page.created"] }])
  })

  test("nothing writes nothing", async () => {
    const { id } = await created()
    expect((await change(id, {})).status).toBe(200)
    expect((await change(id, { url, types: ["charge.paid"] })).status).toBe(200)
    expect(await auditOf(id)).toEqual(["webhook.created"])
  })

  test("the secret shows the new one once, and until when the former one signs", async () => {
    const { id, secret } = await created()
    const again = { "idempotency-key": "troca" }
    const replies = await Promise.all([1, 2].map(() => post(`${id}/rotate`, {}, again)))
    const secrets = replies.map(({ json }) => json.data.secret).filter((each) => each !== null)
    expect(secrets).toHaveLength(1)
    expect(secrets[0]).not.toBe(secret)
    const { webhook } = (await get(id)).json.data
    expect(webhook.formerSecretUntil).toBe(new Date(world.clock.now().getTime() + 86_400_000).toISOString())
    expect(await auditOf(id)).toEqual(["webhook.created", "webhook.rotated"])
    const mails = await deliverMails(world, owner.email)
    const mail = mails.find(({ subject }) => subject === "O segredo de um webhook foi trocado")
    expect(mail?.text).toContain(url)
    expect(mail?.text).toContain("/not-me/")
    expect(mail?.text).not.toContain(secrets[0])
  })

  test("deleting is told once, and everything about it is gone", async () => {
    const { id } = await created()
    const ends = await Promise.all([1, 2].map(() => world.call("DELETE", `${path}/${id}`, { token: owner.token })))
    expect(ends.map(({ status }) => status).sort()).toEqual([204, 404])
    expect(await list()).toEqual([])
    expect((await get(id)).status).toBe(404)
    expect((await get(`${id}/deliveries`)).status).toBe(404)
    expect(await auditOf(id)).toEqual(["webhook.created", "webhook.deleted"])
  })
})

describe("trying out", () => {
  test("a test is signed like an event, and its outcome told at once", async () => {
    // The reference library accepts no timestamp that isn't now.
    world.clock.pass((Date.now() - world.clock.now().getTime()) / 1000)
    // By then the other session may have ended.
    owner = await world.user()
    const { id, secret } = await created({ url: receiver.url })
    receiver.trust(secret)
    await confirmWebhook(world, id)
    expect((await post(`${id}/test`)).json.data.test).toEqual({
      ...{ isDelivered: true, status: 200, problem: null, message: null, answer: "", durationMs: expect.any(Number) },
      location: null,
    })
    expect(receiver.received[0]?.event).toMatchObject({ type: "webhook.test", sequence: 0 })
    receiver.answer(503)
    expect((await post(`${id}/test`)).json.data.test).toMatchObject({
      ...{ isDelivered: false, status: 503, problem: "bad_status", answer: "Ops\u{fffd}, não deu" },
      message: "Respondeu com o status 503; só 2xx conta como entregue",
    })
    await receiver.stop()
    expect((await post(`${id}/test`)).json.data.test).toMatchObject({
      ...{ isDelivered: false, status: null, problem: "refused", message: "A conexão foi recusada", answer: null },
    })
  })
})

test("what makes us send requests is refused after the twentieth in a minute, by session and key together", async () => {
  const { id } = await created({ url: receiver.url, types: [] })
  await tellEvents(world.database, owner.id, 1)
  await fanOutEvents(world)
  const [delivery] = (await get(`${id}/deliveries`)).json.data.deliveries
  const { key } = await insertApiKey(world.db, owner.id, { scopes: ["webhooks:write"] })
  const since = { since: "1970-01-01T00:00:00Z" }
  const sends: ((token: string) => ReturnType<typeof post>)[] = [
    (token) => post(`${id}/test`, {}, {}, token),
    (token) => post(`${id}/resend`, since, {}, token),
    (token) => post(`deliveries/${delivery._id}/resend`, {}, {}, token),
    (token) => change(id, { types: [] }, token),
  ]
  const replies = await Promise.all(
    Array.from({ length: 19 }, async (_, at) => sends[at % sends.length]?.(at % 2 === 0 ? owner.token : key)),
  )
  expect(replies.map((reply) => reply?.status)).toEqual(replies.map(() => 200))
  for (const token of [owner.token, key]) {
    for (const send of [...sends, () => create({}, {}, token)]) {
      const refused = await send(token)
      expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "3"])
    }
  }
  expect((await sends[0]?.((await world.user()).token))?.status).toBe(404)
  world.clock.pass(3)
  expect((await sends[1]?.(owner.token))?.status).toBe(200)
})

describe("deliveries", () => {
  async function told(count: number) {
    const webhook = await created({ url: receiver.url, types: [] })
    await tellEvents(world.database, owner.id, count)
    await fanOutEvents(world)
    return webhook
  }

  test("are listed newest first, page by page", async () => {
    const { id } = await told(5)
    const first = (await get(`${id}/deliveries?limit=3`)).json.data
    expect(first.deliveries.map(({ sequence }: { sequence: number }) => sequence)).toEqual([5, 4, 3])
    expect(first.deliveries[0]).toMatchObject({
      webhookId: id,
      type: "page.created",
      state: "queued",
      lastStatus: null,
    })
    expect(first.next).toBe(first.deliveries[2]._id)
    const rest = (await get(`${id}/deliveries?limit=3&after=${first.next}`)).json.data
    expect(rest.deliveries.map(({ sequence }: { sequence: number }) => sequence)).toEqual([2, 1])
    expect(rest.next).toBeNull()
    expect((await get(`${id}/deliveries?after=nada`)).status).toBe(400)
    expect((await get(id)).json.data.webhook.undelivered).toBe(5)
  })

  test("show the body as it is sent", async () => {
    const { id } = await told(1)
    const { deliveries } = (await get(`${id}/deliveries`)).json.data
    const { delivery, body, attempts } = (await get(`deliveries/${deliveries[0]._id}/attempts`)).json.data
    expect(delivery).toEqual(deliveries[0])
    expect(JSON.parse(body)).toMatchObject({ id: delivery.eventId, type: "page.created", sequence: 1 })
    expect(attempts).toEqual([])
  })

  test("are resent one by one or since a moment, each request once", async () => {
    const { id } = await told(3)
    const [newest] = (await get(`${id}/deliveries`)).json.data.deliveries
    const again = { "idempotency-key": `reenvio-${id}` }
    expect((await post(`deliveries/${newest._id}/resend`, {}, again)).json.data.delivery.state).toBe("queued")
    expect((await post(`deliveries/${newest._id}/resend`, {}, again)).status).toBe(200)
    expect((await post(`${id}/resend`, { since: "2020-01-01T00:00:00Z" })).json.data).toEqual({ count: 3 })
    expect((await post(`${id}/resend`, { since: "2999-01-01T00:00:00Z" })).json.data).toEqual({ count: 0 })
    expect((await post(`${id}/resend`, { since: "ontem" })).status).toBe(400)
    expect((await post(`${id}/resend`, {})).status).toBe(422)
  })

  test("of others don't exist, nor do their webhooks", async () => {
    const { id } = await told(1)
    const [delivery] = (await get(`${id}/deliveries`)).json.data.deliveries
    const { token } = await world.user()
    const { key } = await insertApiKey(world.db, (await world.user()).id, { scopes: ["webhooks:write"] })
    for (const stranger of [token, key]) {
      const replies = [
        ...[await get(id, stranger), await get(`${id}/deliveries`, stranger)],
        await get(`deliveries/${delivery._id}/attempts`, stranger),
        await post(`deliveries/${delivery._id}/resend`, {}, {}, stranger),
        ...[
          await post(`${id}/resend`, { since: "2020-01-01" }, {}, stranger),
          await post(`${id}/test`, {}, {}, stranger),
        ],
        ...[await post(`${id}/rotate`, {}, {}, stranger), await change(id, { types: [] }, stranger)],
        await world.call("DELETE", `${path}/${id}`, { token: stranger }),
      ]
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404))
    }
    expect(await list()).toHaveLength(1)
  })
})

import { createDecipheriv, createECDH, createHmac, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { type Notice } from "#platform/mails/notice"
import { notifyOwner } from "#platform/mails/notify-owner"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { openTestApp } from "../../../test-support/test-app.ts"
import { ensurePushKey } from "./keys.ts"
import { sendPushes } from "./send.ts"
import { saveOwnSubscription } from "./subscribe.ts"

const site = await openTestApp()
const outside = { resolve: async () => [], allowsLocal: true }
const deps = () => ({ db: site.db, clock: site.clock, secretKeys, outside })

/** A browser with its push service, written from RFC 8030, 8188, 8291 and 8292 alone. */
const browser = createECDH("prime256v1")
const p256dh = browser.generateKeys().toString("base64url")
const secret = randomBytes(16)
const keys = { p256dh, auth: secret.toString("base64url") }
const received: { headers: Record<string, unknown>; message: unknown }[] = []
let status = 201
const service = createServer(async (request, reply) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (status === 201) received.push({ headers: request.headers, message: decrypt(Buffer.concat(chunks)) })
  reply.writeHead(status).end()
})
let endpoint = ""
let vapidKey = ""
let token: string
let userId: string

function decrypt(body: Buffer): unknown {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const senderKey = body.subarray(21, 21 + keyLength)
  const shared = browser.computeSecret(senderKey)
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), senderKey])
  const ikm = Buffer.from(hkdfSync("sha256", shared, secret, info, 32))
  const prk = createHmac("sha256", salt).update(ikm).digest()
  const expand = (label: string, bytes: number) =>
    createHmac("sha256", prk).update(`Content-Encoding: ${label}\0\u0001`).digest().subarray(0, bytes)
  const sealed = body.subarray(21 + keyLength)
  const opening = createDecipheriv("aes-128-gcm", expand("aes128gcm", 16), expand("nonce", 12))
  opening.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()])
  expect(padded.at(-1)).toBe(2)
  return JSON.parse(padded.subarray(0, -1).toString())
}

beforeAll(async () => {
  await new Promise<void>((done) => service.listen(0, "127.0.0.1", done))
  endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}/send/abc`
  await ensurePushKey(deps())
  vapidKey = (await site.call("GET", "/api/v1/public/push-key")).json.data.key
})
let count = 0
beforeEach(async () => {
  await site.db.deleteFrom("push_subscriptions").execute()
  received.length = 0
  status = 201
  const email = `avisos${++count}@loja.example`
  token = await site.signUp(email)
  const user = await site.db.selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow()
  userId = user.id
})
afterAll(async () => {
  service.close()
  await site.close()
})

const path = "/api/v1/users/me/push-subscriptions"
const subscribe = (more: object = {}, by = token) =>
  site.call("POST", path, { token: by, body: { endpoint, keys, ...more } })
const paid: Notice = {
  ...{ kind: "payment_received", chargeId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1b31", pageTitle: "Bolo de cenoura" },
  ...({ amountCents: 1_250, netCents: 1_063 } as Pick<
    Notice & { kind: "payment_received" },
    "amountCents" | "netCents"
  >),
}
const tell = (notice: Notice, about = "payments:1") =>
  site.db.transaction().execute((tx) => notifyOwner(tx, { userId, notice, about }, site.clock.now()))
const messages = () => received.map(({ message }) => message)

test("a payment reaches the browser, encrypted for it and signed by this installation", async () => {
  expect((await subscribe()).json.data.subscription).toMatchObject({ hideAmounts: false, isCurrent: true })
  await tell(paid)
  await sendPushes(deps())
  await sendPushes(deps())
  expect(messages()).toEqual([
    {
      title: expect.stringMatching(/^Pagamento recebido: R\$\s12,50$/),
      body: expect.stringMatching(/^Bolo de cenoura. Líquido: R\$\s10,63.$/),
      url: expect.stringContaining("0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1b31"),
      tag: "payments:1",
    },
  ])
  const [, jwt = "", key = ""] = /^vapid t=([^,]+), k=(.+)$/.exec(String(received[0]?.headers["authorization"])) ?? []
  expect(key).toBe(vapidKey)
  const point = Buffer.from(vapidKey, "base64url")
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")]
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" })
  const [head, claims = "", signature = ""] = jwt.split(".")
  const signed = Buffer.from(`${head}.${claims}`)
  const isSigned = verify(
    "sha256",
    signed,
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  )
  expect(isSigned).toBe(true)
  const { aud, sub } = JSON.parse(Buffer.from(claims, "base64url").toString())
  expect([aud, sub]).toEqual([new URL(endpoint).origin, expect.stringMatching(/^mailto:/)])
})

test("amounts are left out where the person says so, and only what is to be heard at once is sent", async () => {
  await subscribe({ hideAmounts: true })
  await tell(paid)
  await tell({ kind: "data_exported", exportedAt: site.clock.now().toISOString(), address: null })
  await sendPushes(deps())
  expect(messages()).toMatchObject([{ title: "Pagamento recebido", body: "Bolo de cenoura." }])
})

test("without its amount a message still reads as one", async () => {
  await subscribe({ hideAmounts: true })
  const amountCents = paid.kind === "payment_received" ? paid.amountCents : 0
  const asked = { kind: "refund_asked", askedBy: "Bia", description: "Café", reason: "" } as const
  const hour = { kind: "payments_received", day: "2026-11-28", hour: 14, count: 3 } as const
  await tell({ ...asked, amountCents } as Notice, "refund-request:1")
  await tell({ ...hour, amountCents, netCents: amountCents } as Notice, "payments:2")
  await sendPushes(deps())
  expect(messages()).toMatchObject([
    { title: "Bia pede o estorno", body: "Café. Nada sai do saldo sem um dono ou gerente." },
    { title: "3 pagamentos recebidos", body: "Das 14h às 15h." },
  ])
})

test("a browser that only says again that it is there keeps its amounts hidden", async () => {
  await subscribe({ hideAmounts: true })
  expect((await subscribe()).json.data.subscription).toMatchObject({ hideAmounts: true })
  expect((await subscribe({ hideAmounts: false })).json.data.subscription).toMatchObject({ hideAmounts: false })
})

test("the same browser twice, or three times at once, is one subscription, told of once by mail", async () => {
  await subscribe()
  await Promise.all([subscribe(), subscribe({ hideAmounts: true }), subscribe()])
  const { subscriptions } = (await site.call("GET", path, { token })).json.data
  expect(subscriptions).toHaveLength(1)
  const { notices } = (await site.call("GET", "/api/v1/users/me/notices", { token })).json.data
  expect(notices.filter(({ kind }: { kind: string }) => kind === "push_subscription_added")).toHaveLength(1)
  const other = await site.signUp(`outra${count}@loja.example`)
  await subscribe({}, other)
  expect((await site.call("GET", path, { token })).json.data.subscriptions).toEqual([])
})

test("a session that ends while it subscribes is told so, and has no subscription", async () => {
  const browser = {
    endpoint,
    allowsLocal: true,
    p256dh: "",
    auth: "",
    hideAmounts: false,
    tokenHash: Buffer.from("ended"),
  }
  const person = { id: (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id, address: null }
  await expect(saveOwnSubscription(site, { ...browser, person })).rejects.toMatchObject({ code: "unauthenticated" })
  expect((await site.call("GET", path, { token })).json.data.subscriptions).toEqual([])
})

test("a person has at most ten", async () => {
  for (let at = 0; at < 10; at += 1) await subscribe({ endpoint: `${endpoint}${at}` })
  expect(await subscribe({ endpoint: `${endpoint}z` })).toMatchObject({ status: 409 })
})

test.each([404, 410])("a browser that is gone (%s) is forgotten", async (gone) => {
  await subscribe()
  await tell(paid)
  status = gone
  await sendPushes(deps())
  expect((await site.call("GET", path, { token })).json.data.subscriptions).toEqual([])
})

test("a service out of order is asked again later, and not after a day", async () => {
  await subscribe()
  await tell(paid)
  status = 500
  await sendPushes(deps())
  status = 201
  await sendPushes(deps())
  expect(received).toHaveLength(0)
  const at = (seconds: number) => ({
    ...deps(),
    clock: { ...site.clock, now: () => secondsAfter(site.clock.now(), seconds) },
  })
  await sendPushes(at(3_600))
  expect(received).toHaveLength(1)
  await tell({ ...paid }, "payments:2")
  status = 500
  await sendPushes(at(90_000))
  expect(await site.db.selectFrom("pushes").selectAll().execute()).toEqual([])
})

test("whoever is signed out hears nothing more", async () => {
  await subscribe()
  await site.call("POST", "/api/v1/auth/logout", { token })
  await tell(paid)
  await sendPushes(deps())
  expect(received).toEqual([])
})

test("an address inside is asked by nobody, and another person's subscription is nobody's", async () => {
  const { _id } = (await subscribe()).json.data.subscription
  const inside = { ...deps(), outside: { ...outside, allowsLocal: false } }
  await tell(paid)
  await sendPushes(inside)
  expect(received).toEqual([])
  expect((await site.call("POST", `${path}/${_id}/test`, { token })).json.data).toEqual({ isSent: true })
  expect(messages()).toMatchObject([{ title: "Aviso de teste", url: "/profile" }])
  const other = await site.signUp(`terceira${count}@loja.example`)
  for (const method of ["POST", "DELETE"] as const) {
    const url = method === "POST" ? `${path}/${_id}/test` : `${path}/${_id}`
    expect((await site.call(method, url, { token: other })).status).toBe(404)
  }
  expect((await site.call("DELETE", `${path}/${_id}`, { token })).status).toBe(204)
})

test("whoever may not steer the sandbox's bank reaches no port of this machine, not even by a browser that did", async () => {
  await subscribe()
  const subscribed = await site.call("POST", path, { token, body: { endpoint, keys }, from: "203.0.113.9" })
  const { _id } = subscribed.json.data.subscription
  for (const from of ["203.0.113.9", "127.0.0.1"]) {
    expect((await site.call("POST", `${path}/${_id}/test`, { token, from })).json.data).toEqual({ isSent: false })
  }
  await tell(paid)
  await sendPushes(deps())
  expect(received).toEqual([])
  await subscribe()
  expect((await site.call("POST", `${path}/${_id}/test`, { token })).json.data).toEqual({ isSent: true })
})

test("a person saves and tests subscriptions twenty times, and then one each three seconds", async () => {
  const { _id } = (await subscribe()).json.data.subscription
  const sendTest = () => site.call("POST", `${path}/${_id}/test`, { token })
  for (let at = 1; at < 20; at += 1) expect((await sendTest()).status).toBe(200)
  expect([(await sendTest()).status, (await subscribe()).status]).toEqual([429, 429])
  expect((await site.call("GET", path, { token })).status).toBe(200)
  site.clock.pass(3)
  expect((await sendTest()).status).toBe(200)
})

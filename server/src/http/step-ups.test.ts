import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { newPerson, type Person } from "../../test-support/admins.ts"
import { codeOf, enrolTotp } from "../../test-support/enrol-totp.ts"
import { giveBalance } from "../../test-support/give-balance.ts"
import { insertApiKey } from "../../test-support/insert-api-key.ts"
import { insertWithdrawals } from "../../test-support/insert-withdrawals.ts"
import { openTestApp, sellerForm } from "../../test-support/test-app.ts"
import { servedRoutes } from "./serve-endpoint.ts"

let seller: Person
let secret: string
let made = 0

const site = await openTestApp()

afterAll(() => site.close())

beforeEach(async () => {
  made += 1
  seller = await newPerson(site, `vendedora-${made}@loja.example`)
  await giveBalance(site.db, seller.id, 100_000)
  secret = (await enrolTotp(site, seller)).secret
})

const { password } = sellerForm
const call = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object, token = seller.token) =>
  site.call(method, `/api/v1${path}`, { token, ...(body && { body }) })

async function stepUp(token = seller.token): Promise<void> {
  site.clock.pass(60)
  const body = { password, code: codeOf(secret, site.clock.now()) }
  expect((await call("POST", "/auth/step-up", body, token)).status).toBe(200)
}

/** A second session of the seller, on another device. */
async function signInElsewhere(): Promise<string> {
  site.clock.pass(60)
  const body = { email: seller.email, password, code: codeOf(secret, site.clock.now()) }
  return (await site.call("POST", "/api/v1/auth/login", { body })).json.token
}

const stepUpRequired = { status: 403, json: { code: "step_up_required", status: "fail" } }

/** Written here once more, so that an endpoint that lost its declaration shows. */
const always = [
  "POST /api/v1/admin/bank-statements/:id/confirm",
  "GET /api/v1/admin/remittances/:sequence",
  "POST /api/v1/admin/remittances",
  "POST /api/v1/admin/remittances/returns",
  "GET /api/v1/users/me/export",
  "PATCH /api/v1/auth/updateMyPassword",
  "POST /api/v1/users/me/api-keys",
  "DELETE /api/v1/users/me/api-keys/:id",
  "DELETE /api/v1/users/me/destinations/:id",
  "POST /api/v1/users/me/webhooks",
  "PATCH /api/v1/users/me/webhooks/:id",
  "DELETE /api/v1/users/me/webhooks/:id",
  "POST /api/v1/users/me/webhooks/:id/rotate",
  "PUT /api/v1/users/me/return-origins",
  "POST /api/v1/users/me/return-origins/rotate",
  "DELETE /api/v1/users/me/sessions",
  "DELETE /api/v1/users/me/sessions/:id",
  "POST /api/v1/settings",
  "POST /api/v1/settings/initialize",
  "PATCH /api/v1/settings/:key",
  "POST /api/v1/admin/users",
  "PATCH /api/v1/admin/users/:id",
  "POST /api/v1/admin/users/:id/view-session",
  "POST /api/v1/admin/users/:id/invitation",
  "PATCH /api/v1/admin/users/:id/destinations/:destinationId",
  "PATCH /api/v1/admin/users/:id/unfreeze",
  "PATCH /api/v1/admin/users/:id/automatic-pix",
  "PATCH /api/v1/admin/mandates/:id/cancel",
  "DELETE /api/v1/admin/users/:id/sessions",
  "DELETE /api/v1/admin/users/:id",
  "PATCH /api/v1/admin/withdrawals/:id/approve",
  "POST /api/v1/admin/withdrawals/approve",
  "PATCH /api/v1/admin/withdrawals/:id/complete",
  "PATCH /api/v1/admin/withdrawals/:id/return",
  "PATCH /api/v1/admin/withdrawals/:id/settle",
  "PATCH /api/v1/admin/refunds/:id/settle",
  "PATCH /api/v1/admin/unmatched-payments/:id/accept",
  "PATCH /api/v1/admin/unmatched-payments/:id/return",
  "POST /api/v1/admin/disputes",
  "PATCH /api/v1/admin/disputes/:id/release",
  "PATCH /api/v1/admin/disputes/:id/debit",
  "PATCH /api/v1/admin/page-reports/:id/suspend",
  "PATCH /api/v1/admin/page-reports/:id/lift",
  "POST /api/v1/admin/system/backups",
  "POST /api/v1/admin/journal",
  "PATCH /api/v1/admin/journal/:id/approve",
]
const alsoRelaxed = [
  "DELETE /api/v1/users/me",
  "POST /api/v1/users/me/totp",
  "POST /api/v1/users/me/totp/confirm",
  "DELETE /api/v1/users/me/totp",
  "POST /api/v1/users/me/recovery-codes",
  "POST /api/v1/users/me/passkeys/options",
  "POST /api/v1/users/me/passkeys",
  "PATCH /api/v1/users/me/passkeys/:id",
  "DELETE /api/v1/users/me/passkeys/:id",
]
const byData = [
  "PATCH /api/v1/users/updateMe",
  "PATCH /api/v1/users/me/shop",
  "PATCH /api/v1/shops/:id/members/:memberId",
  "POST /api/v1/shops/:id/invitations",
  "POST /api/v1/withdrawals",
  "PUT /api/v1/users/me/withdrawal-rule",
  "POST /api/v1/payments/transactions/:id/refunds",
  "PATCH /api/v1/payments/transactions/:id/refund-requests/:requestId/confirm",
  "POST /api/v1/admin/transactions/:id/refunds",
]

/** A GET may be asked for without its content. */
const withHeads = (routes: readonly string[]) =>
  routes.flatMap((route) => (route.startsWith("GET ") ? [route, route.replace("GET", "HEAD")] : [route]))

describe("the endpoints that ask for a step-up", () => {
  const declared = (kind: "always" | "also_relaxed" | "by_data") =>
    servedRoutes(site.app)
      .filter(({ stepUp: declaredKind }) => declaredKind === kind)
      .map(({ method, url }) => `${method} ${url}`)
      .toSorted()

  test("are these, and the API's description marks them", async () => {
    const { paths } = (await site.call("GET", "/api/openapi.json")).json as {
      paths: Record<string, Record<string, { responses: object }>>
    }
    const marked = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) =>
        JSON.stringify(operation.responses).includes("step_up_required")
          ? [`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`]
          : [],
      ),
    )
    expect(marked.toSorted()).toEqual([...always, ...alsoRelaxed, ...byData].toSorted())
    expect(declared("always")).toEqual(withHeads(always).toSorted())
    expect(declared("also_relaxed")).toEqual(alsoRelaxed.toSorted())
    expect(declared("by_data")).toEqual(byData.toSorted())
  })

  test("refuse a session that isn't fresh, also while another one of the same person is", async () => {
    await site.db.updateTable("users").set({ role: "admin" }).where("id", "=", seller.id).execute()
    const other = await signInElsewhere()
    await stepUp(other)
    for (const route of [...always, ...alsoRelaxed]) {
      const [method = "", url = ""] = route.split(" ")
      const address = url.replace("/api/v1", "").replace(/:\w+/, "x")
      const refused = await call(method as "POST", address, {})
      expect({ route, ...refused }).toMatchObject({ route, ...stepUpRequired })
      const withPath = /:|initialize/.test(url) && !url.endsWith("/totp")
      if (withPath) expect((await call(method as "POST", address, {}, other)).json?.code).not.toBe("step_up_required")
    }
  })
})

test("tries to confirm have a limit per person, whatever session or address they come from, and right ones count", async () => {
  const attempt = (from: string, token = seller.token) =>
    site.call("POST", "/api/v1/auth/step-up", { token, from, body: { password, code: "000000" } })
  const other = await newPerson(site, `outra-${made}@loja.example`)
  const elsewhere = await signInElsewhere()
  await stepUp()
  for (let at = 0; at < 11; at += 1) await attempt(`198.51.${at}.7`, at % 2 === 0 ? seller.token : elsewhere)
  const refused = await attempt("203.0.113.7", elsewhere)
  expect(refused).toMatchObject({ status: 429, json: { code: "too_many_requests" } })
  expect(refused.headers["retry-after"]).toBe("30")
  const { status } = await site.call("POST", "/api/v1/auth/step-up", { token: other.token, body: { password } })
  expect(status).toBe(200)
  site.clock.pass(30)
  expect((await attempt("203.0.113.8")).status).not.toBe(429)
})

test("challenges for a passkey have a limit per person", async () => {
  const ask = (path: string) => call("POST", path)
  const replies: number[] = []
  for (let at = 0; at < 31; at += 1) replies.push((await ask("/auth/step-up/options")).status)
  expect(replies.filter((status) => status === 429)).toHaveLength(1)
  site.clock.pass(10)
  expect((await ask("/auth/step-up/options")).status).not.toBe(429)
})

test("a key isn't asked where its scope, which a confirmed session granted, lets it in", async () => {
  const { key } = await insertApiKey(site.db, seller.id)
  expect((await call("DELETE", "/users/me/webhooks/x")).json.code).toBe("step_up_required")
  expect((await call("DELETE", "/users/me/webhooks/x", undefined, key)).status).toBe(404)
})

describe("a withdrawal", () => {
  const withdraw = (pixKey: string, options: { token?: string; key?: string } = {}) =>
    site.call("POST", "/api/v1/withdrawals", {
      token: options.token ?? seller.token,
      body: { amount: 10, paymentMethod: "pix", pixKey },
      ...(options.key !== undefined && { headers: { "idempotency-key": options.key } }),
    })
  const balance = async () => (await call("GET", "/users/myBalance")).json.data.balance

  test("to a destination that was paid before asks nothing; to a new one it takes nothing without a step-up", async () => {
    await insertWithdrawals(site.db, [{ sellerId: seller.id, status: "completed", at: site.clock.now() }])
    expect((await withdraw("Ana@Loja.Example")).status).toBe(201)
    expect(await withdraw("ladrao@loja.example")).toMatchObject({
      ...stepUpRequired,
      json: { data: { methods: ["password", "totp", "recovery_code"] } },
    })
    expect(await balance()).toBe(990)
    const other = await signInElsewhere()
    await stepUp()
    expect(await withdraw("ladrao@loja.example", { token: other })).toMatchObject(stepUpRequired)
    expect((await withdraw("nova@loja.example")).status).toBe(201)
    expect(await balance()).toBe(980)
  })

  test("that was only requested makes its destination no known one", async () => {
    await stepUp()
    const { json } = await withdraw("nova@loja.example")
    await call("PATCH", `/withdrawals/${json.data.withdrawal._id}/cancel`)
    site.clock.pass(300)
    expect(await withdraw("nova@loja.example")).toMatchObject(stepUpRequired)
  })

  test("is decided for each of several at once by its own session", async () => {
    const other = await signInElsewhere()
    await stepUp()
    const tokens = [other, seller.token, other, seller.token]
    const replies = await Promise.all(tokens.map((token) => withdraw("nova@loja.example", { token })))
    expect(replies.map(({ status }) => status)).toEqual([403, 201, 403, 201])
    expect(await balance()).toBe(980)
  })

  test("that is repeated with its key is answered as before, also when the session is no longer fresh", async () => {
    expect(await withdraw("nova@loja.example", { key: "uma-vez" })).toMatchObject(stepUpRequired)
    await stepUp()
    const first = await withdraw("nova@loja.example", { key: "uma-vez" })
    site.clock.pass(300)
    const again = await withdraw("nova@loja.example", { key: "uma-vez" })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.json).toEqual(first.json)
    expect(await balance()).toBe(990)
  })

  test("by a key goes to known destinations alone, and isn't asked for what a key can't do", async () => {
    const { key } = await insertApiKey(site.db, seller.id)
    await stepUp()
    expect((await withdraw("nova@loja.example", { token: key })).json.code).toBe("withdrawal_destination_unproven")
    await insertWithdrawals(site.db, [{ sellerId: seller.id, status: "completed", at: site.clock.now() }])
    site.clock.pass(300)
    expect((await withdraw("ana@loja.example", { token: key })).status).toBe(201)
  })
})

test("a profile asks only for a changed payout destination, and then changes nothing at all", async () => {
  const save = (body: object) => call("PATCH", "/users/updateMe", body)
  expect((await save({ name: "Ana Lima" })).status).toBe(200)
  const account = { bankAccount: { pixKey: "nova@loja.example" } }
  expect(await save({ ...account, name: "Outra" })).toMatchObject(stepUpRequired)
  expect((await call("GET", "/users/me")).json.data.user).toMatchObject({
    name: "Ana Lima",
    bankAccount: { pixKey: "" },
  })
  await stepUp()
  expect((await save(account)).status).toBe(200)
  site.clock.pass(300)
  expect((await save({ ...account, name: "Ana Souza" })).status).toBe(200)
})

test("where protection is strict a seller without a factor is asked, too, and the password is enough", async () => {
  const strict = await openTestApp({ protection: "strict" })
  try {
    const ana = await newPerson(strict, "ana@loja.example")
    await giveBalance(strict.db, ana.id, 10_000)
    const body = { amount: 10, paymentMethod: "pix", pixKey: "ana@loja.example" }
    const withdraw = () => strict.call("POST", "/api/v1/withdrawals", { token: ana.token, body })
    expect(await withdraw()).toMatchObject({ ...stepUpRequired, json: { data: { methods: ["password"] } } })
    await strict.call("POST", "/api/v1/auth/step-up", { token: ana.token, body: { password } })
    expect((await withdraw()).status).toBe(201)
  } finally {
    await strict.close()
  }
})

import { setTimeout as sleep } from "node:timers/promises"
import type { ShopRole } from "@tilinta/contract/vocabulary/team"
import { afterAll, beforeEach, expect, test } from "vitest"
import { createEvents, type Events } from "#events/events"
import { createLog } from "#kit/log"
import { bookPayments } from "#money/payments/book"
import { openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"
import { takeBalance } from "../../test-support/give-balance.ts"
import { insertCharge } from "../../test-support/insert-charge.ts"
import { insertChargePages } from "../../test-support/insert-charge-pages.ts"
import { receiptOf } from "../../test-support/sandbox.ts"

const plan = await openFraudPlan()
let owner: Victim
let fresh: string

beforeEach(async () => {
  plan.clock.pass(3 * 86_400)
  owner = await plan.victim()
  fresh = await plan.freshSessionOf(owner)
})

afterAll(() => plan.close())

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE"

const call = (method: Method, path: string, { token, shop, body }: { token: string; shop?: string; body?: object }) =>
  plan.call(method, `/api/v1/${path}`, {
    token,
    ...(body && { body }),
    ...(shop !== undefined && { headers: { "x-shop": shop } }),
  })

async function invite(email: string, role: ShopRole, token = fresh): Promise<string> {
  const reply = await call("POST", `shops/${owner.id}/invitations`, { token, body: { email, role } })
  expect(reply.status).toBe(201)
  const { link } = reply.json.data.invitation
  return link.slice(link.lastIndexOf("/") + 1)
}

const accept = (token: string, who: Victim) => call("POST", `invitations/${token}/accept`, { token: who.token })

async function employee(role: ShopRole): Promise<Victim> {
  const who = await plan.victim()
  expect((await accept(await invite(who.email, role), who)).status).toBe(200)
  return who
}

test("a cashier refunds nothing, edits no page, reads no balance and makes no way out", async () => {
  const cashier = await employee("cashier")
  const page = await call("POST", "checkout/pages", {
    token: owner.token,
    body: { title: "Bolo", slug: "bolo", amount: 50, maxPayments: null },
  })
  const id = page.json.data.checkoutPage._id
  const attempts: [Method, string, object?][] = [
    ["POST", `payments/transactions/${id}/refunds`, { amount: null, reason: "" }],
    ["PATCH", `checkout/pages/${id}`, { amount: 1 }],
    ["GET", `checkout/pages/${id}`],
    ["DELETE", `checkout/pages/${id}`],
    ["GET", "users/myBalance"],
    ["GET", "users/me/statement"],
    ["GET", "payments/transactions"],
    ["GET", "payments/transactions/export"],
    ["GET", "customers"],
    ["GET", "events?wait=1"],
    ["GET", "search?q=ana"],
    ["POST", "withdrawals", { amount: 10, paymentMethod: "pix", pixKey: "ladrao@loja.example" }],
    ["POST", "users/me/api-keys", { name: "Minha", scopes: ["withdrawals:write"], expiresAt: null }],
    ["POST", "users/me/webhooks", { url: "https://ladrao.example/", types: null }],
    ["PUT", "users/me/return-origins", { origins: ["https://ladrao.example"] }],
    ["PATCH", "users/me/shop", { document: "11222333000181" }],
  ]
  const token = await plan.freshSessionOf(cashier)
  for (const [method, path, body] of attempts) {
    const { json } = await call(method, path, { token, shop: owner.id, ...(body && { body }) })
    expect({ path, code: json.code }).toEqual({ path, code: "role_forbidden" })
  }
  // Their own profile stays theirs: what they change of it changes nothing of the shop's.
  const bank = { bank: "001", agency: "1", account: "1", accountType: "checking", pixKey: "ladrao@loja.example" }
  await call("PATCH", "users/updateMe", { token, shop: owner.id, body: { bankAccount: bank } })
  expect((await call("GET", "users/me", { token: fresh })).json.data.user.bankAccount.pixKey).toBe("")
  expect(await plan.left()).toEqual([])
})

test("a cashier confirms no request of their own, and asks for nothing that their counter didn't sell", async () => {
  const [cashier, manager, rival] = [await employee("cashier"), await employee("manager"), await plan.victim()]
  const _id = await sale(cashier)
  const requests = `payments/transactions/${_id}/refund-requests`
  const mine = { token: cashier.token, shop: owner.id, body: { reason: "" } }
  const requestId = (await call("POST", requests, mine)).json.data.refundRequest._id
  const attempts: [Method, string][] = [
    ["PATCH", `${requests}/${requestId}/confirm`],
    ["PATCH", `${requests}/${requestId}/decline`],
    ["POST", `payments/transactions/${_id}/refunds`],
    ["GET", `payments/transactions/${_id}/refunds`],
    ["GET", "counter/refund-requests"],
  ]
  for (const [method, path] of attempts) {
    const { json } = await call(method, path, {
      token: cashier.token,
      shop: owner.id,
      ...(method === "POST" && { body: {} }),
    })
    expect({ path, code: json.code }).toEqual({ path, code: "role_forbidden" })
  }
  // In a shop of their own they are a manager, but of that shop's sales alone.
  const elsewhere = `payments/transactions/${_id}/refund-requests`
  for (const [who, shop] of [
    [cashier, cashier.id],
    [rival, rival.id],
  ] as const) {
    const tried = [
      await call("POST", elsewhere, { token: who.token, shop, body: { reason: "" } }),
      await call("PATCH", `${elsewhere}/${requestId}/confirm`, { token: who.token, shop }),
    ]
    expect(tried.map(({ json }) => json.code)).toEqual(["transaction_not_found", "transaction_not_found"])
  }
  // A stolen session of the manager gives back no more than a refund without the request would.
  const confirm = (token: string) => call("PATCH", `${requests}/${requestId}/confirm`, { token, shop: owner.id })
  expect((await confirm(manager.token)).json.code).toBe("step_up_required")
  expect(await refundsOf(_id)).toBe(0)
  plan.clock.pass(86_400 + 1)
  await plan.press(await plan.newNotMePath(owner))
  expect((await confirm(await plan.freshSessionOf(manager))).json.code).toBe("account_frozen")
  expect(await refundsOf(_id)).toBe(0)
})

/** A sale of 600.00 at the counter of the owner's shop, which was paid. */
async function sale(by: Victim): Promise<string> {
  const [sellerId, at] = [owner.id, plan.clock.now().toISOString()]
  const [pageId = ""] = await insertChargePages(plan.db, [{ sellerId, at }])
  const id = await insertCharge(plan.db, { sellerId, pageId, status: "pending", at, amountCents: 60_000 })
  const { txid } = await plan.db.selectFrom("charges").select("txid").where("id", "=", id).executeTakeFirstOrThrow()
  await bookPayments({ ...plan, log: createLog("silent") }, [receiptOf(String(txid), 60_000)])
  const row = { charge_id: id, seller_id: sellerId, sold_by: by.id, created_at: plan.clock.now() }
  await plan.db.insertInto("counter_sales").values(row).execute()
  return id
}

async function refundsOf(chargeId: string): Promise<number> {
  return (await plan.db.selectFrom("refunds").select("id").where("charge_id", "=", chargeId).execute()).length
}

test("a manager neither withdraws, opens a way out, changes the team nor the shop's document", async () => {
  const manager = await employee("manager")
  const token = await plan.freshSessionOf(manager)
  const team = `shops/${owner.id}`
  const attempts: [Method, string, object?][] = [
    ["POST", "withdrawals", { amount: 10, paymentMethod: "pix", pixKey: "ladrao@loja.example" }],
    ["GET", "users/me/destinations"],
    ["POST", "users/me/api-keys", { name: "Minha", scopes: ["withdrawals:write"], expiresAt: null }],
    ["GET", "users/me/api-keys"],
    ["POST", "users/me/webhooks", { url: "https://ladrao.example/", types: null }],
    ["PUT", "users/me/return-origins", { origins: ["https://ladrao.example"] }],
    ["PATCH", "users/me/shop", { document: "11222333000181" }],
    // Whether it is a document at all is none of their business.
    ["PATCH", "users/me/shop", { document: "123" }],
    ["GET", `${team}/members`],
    ["POST", `${team}/invitations`, { email: "socio@loja.example", role: "owner" }],
    ["PATCH", `${team}/members/${manager.id}`, { role: "owner" }],
    ["DELETE", `${team}/members/${owner.id}`],
  ]
  for (const [method, path, body] of attempts) {
    const { json } = await call(method, path, { token, shop: owner.id, ...(body && { body }) })
    expect({ path, code: json.code }).toEqual({ path, code: "role_forbidden" })
  }
  expect((await call("GET", "users/myBalance", { token, shop: owner.id })).status).toBe(200)
  // Deleting and exporting an account are about oneself.
  expect((await call("DELETE", "users/me", { token, shop: owner.id })).json.code).not.toBe("role_forbidden")
  expect((await call("GET", "users/me", { token: fresh })).status).toBe(200)
})

test("a stolen session of the owner makes no other owner, and each owner hears of one that is made", async () => {
  const [second, cashier] = [await employee("owner"), await employee("cashier")]
  await plan.expectTold(owner, "Ana Souza entrou na equipe da sua loja como dono", { says: ["/not-me/"] })
  const invitation = { email: "ladrao@loja.example", role: "owner" }
  const stolen = await call("POST", `shops/${owner.id}/invitations`, { token: owner.token, body: invitation })
  expect(stolen.json.code).toBe("step_up_required")
  const raised = (token: string) =>
    call("PATCH", `shops/${owner.id}/members/${cashier.id}`, { token, body: { role: "owner" } })
  expect((await raised(owner.token)).json.code).toBe("step_up_required")
  // The proof is the person's own, whichever shop they act for.
  expect((await raised(second.token)).json.code).toBe("step_up_required")
  expect((await raised(fresh)).status).toBe(200)
  for (const who of [owner, second])
    await plan.expectTold(who, "Ana Souza agora é dono na sua loja", { says: ["/not-me/"] })
})

test("a link opens nothing for another, twice, after it was cancelled or after seven days", async () => {
  const [who, thief] = [await plan.victim(), await plan.victim()]
  const used = await invite(who.email, "manager")
  expect((await accept(used, thief)).json.code).toBe("team_invitation_of_another")
  // Nor by somebody who signs up with the address without reading its mail.
  const email = `nova-${who.id}@loja.example`
  const unread = await invite(email, "manager")
  const form = { name: "Nova", password: "uma-senha-longa", passwordConfirm: "uma-senha-longa", cpf: "52998224725" }
  const signedUp = await plan.call("POST", "/api/v1/auth/signup", {
    body: { ...form, phone: "11987654321", email, invitation: unread },
  })
  expect(signedUp.status).toBe(201)
  const impostor = { id: signedUp.json.data.user._id, email, token: signedUp.json.token }
  expect((await accept(unread, impostor)).json.code).toBe("email_not_confirmed")

  expect((await accept(used, who)).status).toBe(200)
  expect((await accept(used, who)).json.code).toBe("team_invitation_not_found")
  const cancelled = await invite(thief.email, "manager")
  const listed = await call("GET", `shops/${owner.id}/invitations`, { token: fresh })
  for (const { _id } of listed.json.data.invitations) {
    expect((await call("DELETE", `shops/${owner.id}/invitations/${_id}`, { token: fresh })).status).toBe(204)
  }
  expect((await accept(cancelled, thief)).json.code).toBe("team_invitation_not_found")
  const old = await invite(thief.email, "manager")
  plan.clock.pass(7 * 86_400)
  expect((await accept(old, { ...thief, token: await plan.sessionOf(thief) })).json.code).toBe(
    "team_invitation_not_found",
  )
})

test("whoever was removed, or whose shop was closed, acts no more; a foreign shop was never theirs", async () => {
  const [manager, accountant] = [await employee("manager"), await employee("accountant")]
  const balance = (who: Victim, shop: string) => call("GET", "users/myBalance", { token: who.token, shop })
  expect((await balance(manager, owner.id)).status).toBe(200)
  const stranger = await plan.victim()
  for (const shop of [stranger.id, "nada", "", `${owner.id} `]) {
    const { status, json } = await balance(manager, shop)
    // The blank at a header's end is no part of it.
    if (shop.trim() !== owner.id) expect({ shop, status, code: json.code }).toMatchObject({ code: "role_forbidden" })
  }
  // Two tabs act for two shops at once: each call goes where its own header says.
  const both = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      call("POST", "customers", {
        token: manager.token,
        shop: at % 2 === 0 ? owner.id : manager.id,
        body: { name: `Cliente ${at % 2 === 0 ? "da loja" : "meu"}` },
      }),
    ),
  )
  expect(both.every(({ status }) => status === 201)).toBe(true)
  const rows = await plan.db
    .selectFrom("customers")
    .select(["seller_id", "name"])
    .where("seller_id", "in", [owner.id, manager.id])
    .execute()
  for (const { seller_id, name } of rows) expect(name).toBe(seller_id === owner.id ? "Cliente da loja" : "Cliente meu")

  await call("DELETE", `shops/${owner.id}/members/${manager.id}`, { token: fresh })
  expect((await balance(manager, owner.id)).json.code).toBe("role_forbidden")
  expect((await balance(manager, manager.id)).status).toBe(200)
  await plan.db.updateTable("users").set({ active: false }).where("id", "=", owner.id).execute()
  expect((await balance(accountant, owner.id)).json.code).toBe("role_forbidden")
})

test("whoever has a place in shops of others alone sells for nobody else when theirs is closed or erased", async () => {
  const [closed, erased, newcomer] = [await employee("cashier"), await employee("cashier"), await plan.victim()]
  const invited = [closed.id, erased.id, newcomer.id]
  await plan.db.updateTable("users").set({ has_shop: false }).where("id", "in", invited).execute()
  const today = ({ token }: Victim, shop?: string) => call("GET", "counter/today", { token, ...(shop && { shop }) })
  const sell = ({ token }: Victim) => call("POST", "charges", { token, body: { amount: 10, counter: true } })
  expect((await today(closed)).status).toBe(200)
  // Somebody who has joined nobody yet works in their own.
  expect((await today(newcomer)).status).toBe(200)

  await plan.db.updateTable("users").set({ active: false }).where("id", "=", owner.id).execute()
  for (const { json } of [await today(closed), await sell(closed)]) expect(json.code).toBe("role_forbidden")
  expect((await today(closed, closed.id)).status).toBe(200)

  await plan.db.updateTable("users").set({ active: true }).where("id", "=", owner.id).execute()
  await call("DELETE", `shops/${owner.id}/members/${closed.id}`, { token: fresh })
  await takeBalance(plan.db, owner.id)
  expect((await call("DELETE", "users/me", { token: fresh })).status).toBe(204)
  for (const { status } of [await today(erased), await sell(erased)]) expect(status).toBe(401)
  const { has_shop } = await plan.db
    .selectFrom("users")
    .select("has_shop")
    .where("id", "=", erased.id)
    .executeTakeFirstOrThrow()
  expect(has_shop).toBe(true)
})

test("a frozen shop is frozen for its whole team, and a member who is inactivated is out", async () => {
  const [manager, cashier] = [await employee("manager"), await employee("cashier")]
  plan.clock.pass(86_400 + 1)
  await plan.press(await plan.newNotMePath(owner))
  const made = await call("POST", "customers", { token: manager.token, shop: owner.id, body: { name: "Bia" } })
  expect(made.json.code).toBe("account_frozen")
  await plan.db.updateTable("users").set({ active: false }).where("id", "=", cashier.id).execute()
  expect((await call("GET", "users/me", { token: cashier.token, shop: owner.id })).status).toBe(401)
})

test("an open stream ends with the removal", async () => {
  const heard: Events = createEvents({ url: plan.database.url, log: createLog("silent") })
  const manager = await employee("manager")
  let ended = 0
  const stop = heard.onSessionsOf(manager.id, () => {
    ended += 1
  })
  await sleep(500)
  const before = ended
  await call("DELETE", `shops/${owner.id}/members/${manager.id}`, { token: fresh })
  await expect.poll(() => ended).toBeGreaterThan(before)
  stop()
  await heard.stop()
})

import { centsFromReais } from "@tilinta/contract/vocabulary/money"
import pg from "pg"
import { afterAll, expect, test } from "vitest"
import { verifyLedger } from "#ledger/reads"
import { removeDueCharges } from "#money/payments/book"
import { readSellerBalance } from "#money/payments/reads"
import { createChargePage } from "#selling/charge-pages/create"
import { createCharge } from "#selling/charges/create"
import { auditOf } from "../../../test-support/admins.ts"
import { openEdgeWorld, type WorldUser } from "../../../test-support/edge-world.ts"
import { countWaiting } from "../../../test-support/races.ts"
import { sellerForm } from "../../../test-support/test-app.ts"

const world = await openEdgeWorld()
const admin = await world.user("admin")

afterAll(async () => {
  expect(await verifyLedger(world.db)).toEqual([])
  await world.close()
})

const url = "/api/v1/admin/users"
const inactivate = (id: string) => world.call("DELETE", `${url}/${id}`, { token: admin.token })
const reactivate = (id: string) => world.call("PATCH", `${url}/${id}`, { token: admin.token, body: { active: true } })
const me = (token: string) => world.call("GET", "/api/v1/users/me", { token })
const logIn = (email: string, password = sellerForm.password) =>
  world.call("POST", "/api/v1/auth/login", { body: { email, password } })
const pay = (pixCopiaECola: string) => world.call("POST", "/simulador/api/pagamentos", { body: { pixCopiaECola } })
const statusesOf = async (sellerId: string) =>
  (await world.db.selectFrom("charges").select(["status", "removal"]).where("seller_id", "=", sellerId).execute()).map(
    ({ status, removal }) => `${status} ${removal}`,
  )

async function pageOf(seller: WorldUser) {
  return createChargePage(world, {
    sellerId: seller.id,
    title: "Aula",
    slug: "aula",
    description: "",
    amountCents: centsFromReais(100),
    payerData: { allowAnonymous: true },
    expiresInHours: 24,
    maxPayments: null,
    idempotencyKey: null,
  })
}

const chargeOn = (pageId: string) => createCharge(world, { pageId, customerInfo: null, idempotencyKey: null })

test("every session ends at once, the login says why, and a wrong password still says nothing", async () => {
  const seller = await world.user()
  const other = (await logIn(seller.email)).json.token
  expect((await inactivate(seller.id)).status).toBe(204)
  expect([(await me(seller.token)).status, (await me(other)).status]).toEqual([401, 401])
  expect(await world.db.selectFrom("sessions").select("id").where("user_id", "=", seller.id).execute()).toEqual([])
  const reply = await logIn(seller.email)
  expect([reply.status, reply.json.message]).toEqual([403, "Conta desativada. Entre em contato com o suporte."])
  expect((await logIn(seller.email, "senha-errada")).json.code).toBe("wrong_credentials")
  expect(await auditOf(world, seller.id)).toMatchObject([
    { action: "user.inactivated", actor_id: admin.id, before: { active: true }, after: { active: false } },
  ])
})

test("a reset link from before opens nothing, not even once the account is active again", async () => {
  const seller = await world.user()
  const token_hash = Buffer.from("c".repeat(32))
  const moment = { created_at: world.clock.now(), expires_at: new Date(world.clock.now().getTime() + 600_000) }
  await world.db
    .insertInto("password_resets")
    .values({ token_hash, user_id: seller.id, ...moment, ended_at: null })
    .execute()
  await inactivate(seller.id)
  await reactivate(seller.id)
  const reset = await world.db
    .selectFrom("password_resets")
    .select("ended_at")
    .where("token_hash", "=", token_hash)
    .executeTakeFirst()
  expect(reset?.ended_at).toEqual(world.clock.now())
  expect((await me(seller.token)).status).toBe(401)
  expect((await logIn(seller.email)).status).toBe(200)
})

test("the public pages are gone, and come back with the account", async () => {
  const seller = await world.user()
  const page = await pageOf(seller)
  const shown = async () => {
    const link = await world.call("GET", `/api/v1/checkout/pages/${page.uniqueLink}`)
    return [link.status, (await world.call("GET", `/checkout/${page.uniqueLink}`)).status]
  }
  expect(await shown()).toEqual([200, 200])
  await inactivate(seller.id)
  expect(await shown()).toEqual([404, 404])
  const asked = await world.call("POST", "/api/v1/checkout/process-modern-pix-payment", {
    body: { checkoutPageId: page.id, customerInfo: {} },
  })
  expect([asked.status, asked.json.message]).toEqual([404, "Página de cobrança não encontrada ou expirada"])
  await reactivate(seller.id)
  expect(await shown()).toEqual([200, 200])
})

test("open codes of all pages can't be paid any more; what was paid before is credited", async () => {
  const seller = await world.user()
  const charges = [await chargeOn((await pageOf(seller)).id), await chargeOn((await pageOf(seller)).id)]
  const paid = await chargeOn((await pageOf(seller)).id)
  expect((await pay(paid.pixCode)).status).toBe(201)
  const before = await readSellerBalance(world.db, seller.id)
  await inactivate(seller.id)
  expect(await statusesOf(seller.id)).toEqual(["cancelled due", "cancelled due", "cancelled due"])

  await removeDueCharges(world)
  for (const charge of charges) expect((await pay(charge.pixCode)).status).toBe(422)
  expect((await statusesOf(seller.id)).sort()).toEqual(["cancelled done", "cancelled done", "paid done"])
  expect((await readSellerBalance(world.db, seller.id)) - before).toBe(8_500)
})

test("W17: a pending withdrawal of an inactive seller waits for a decision, and no money is lost", async () => {
  const seller = await world.user()
  const body = { amount: 10, paymentMethod: "pix", pixKey: "ana@loja.example" }
  const withdrawal = async () =>
    (await world.call("POST", "/api/v1/withdrawals", { token: seller.token, body })).json.data.withdrawal._id
  const [first, second] = [await withdrawal(), await withdrawal()]
  await inactivate(seller.id)
  const decide = (id: string, verb: string) =>
    world.call("PATCH", `/api/v1/admin/withdrawals/${id}/${verb}`, { token: admin.token })
  const refused = await decide(first, "approve")
  expect([refused.status, refused.json.code]).toEqual([409, "withdrawal_seller_inactive"])
  expect((await decide(second, "reject")).status).toBe(200)
  expect(await readSellerBalance(world.db, seller.id)).toBe(99_000)
  await reactivate(seller.id)
  expect((await decide(first, "approve")).status).toBe(200)
})

test("of codes asked for while the seller is inactivated none stays open", async () => {
  const seller = await world.user()
  const pages = [await pageOf(seller), await pageOf(seller)]
  const asked = Array.from({ length: 12 }, (_, i) => chargeOn(pages[i % 2]?.id ?? ""))
  const [reply, ...charges] = await Promise.allSettled([inactivate(seller.id), ...asked])
  expect(reply).toMatchObject({ status: "fulfilled", value: { status: 204 } })
  for (const charge of charges.filter(({ status }) => status === "rejected")) {
    expect(charge).toMatchObject({ reason: { code: "public_charge_page_not_found" } })
  }
  expect((await statusesOf(seller.id)).filter((status) => !/^(cancelled|failed) due$/.test(status))).toEqual([])
})

test("a code that is asked for before an inactivation and stored after it isn't made", async () => {
  const seller = await world.user()
  const page = await pageOf(seller)
  const other = new pg.Client({ connectionString: world.database.url })
  const watcher = new pg.Client({ connectionString: world.database.url })
  await Promise.all([other.connect(), watcher.connect()])
  try {
    await other.query("begin")
    await other.query("update users set active = false where id = $1", [seller.id])
    const outcome = chargeOn(page.id).catch((error: unknown) => error)
    await expect.poll(() => countWaiting(watcher)).toBe(1)
    await other.query("commit")
    expect(await outcome).toMatchObject({ code: "public_charge_page_not_found" })
  } finally {
    await Promise.all([other.end(), watcher.end()])
  }
  expect(await statusesOf(seller.id)).toEqual([])
})

test("Z08: an admin demoted during the call changes and creates no user", async () => {
  const demoted = await world.user("admin")
  const seller = await world.user()
  const other = new pg.Client({ connectionString: world.database.url })
  const watcher = new pg.Client({ connectionString: world.database.url })
  await Promise.all([other.connect(), watcher.connect()])
  const email = `feito-por-${demoted.email}`
  try {
    await other.query("begin")
    await other.query("update users set role = 'user' where id = $1", [demoted.id])
    const { token } = demoted
    const replies = Promise.all([
      world.call("PATCH", `${url}/${seller.id}`, { token, body: { role: "admin" } }),
      world.call("DELETE", `${url}/${seller.id}`, { token }),
      world.call("POST", url, { token, body: { name: "Cúmplice", email, role: "admin" } }),
    ])
    await expect.poll(() => countWaiting(watcher)).toBe(3)
    await other.query("commit")
    expect((await replies).map(({ status, json }) => [status, json.code])).toEqual(
      Array.from({ length: 3 }, () => [403, "forbidden"]),
    )
  } finally {
    await Promise.all([other.end(), watcher.end()])
  }
  expect((await me(seller.token)).json.data.user).toMatchObject({ role: "user", active: true })
  expect(await world.db.selectFrom("users").select("id").where("email", "=", email).execute()).toEqual([])
})

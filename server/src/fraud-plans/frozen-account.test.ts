import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest"
import { servedRoutes } from "#http/serve-endpoint"
import { createLog } from "#kit/log"
import { verifyLedger } from "#ledger/reads"
import { bookPayments } from "#money/payments/book"
import { requestRefund } from "#money/refunds/request"
import { auditOf } from "../../test-support/admins.ts"
import { enrolPasskey, signInAssertion } from "../../test-support/enrol-passkey.ts"
import { codeOf, enrolTotp } from "../../test-support/enrol-totp.ts"
import { openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"
import { insertApiKey } from "../../test-support/insert-api-key.ts"
import { insertCharge } from "../../test-support/insert-charge.ts"
import { insertChargePages } from "../../test-support/insert-charge-pages.ts"
import { receiptOf } from "../../test-support/sandbox.ts"
import { openTestApp, sellerForm } from "../../test-support/test-app.ts"

let victim: Victim

const plan = await openFraudPlan()
const admin = await plan.administrator()

beforeEach(async () => {
  plan.clock.pass(3 * 86_400)
  victim = await plan.victim()
})

afterEach(async () => {
  expect(await plan.left()).toEqual([])
})

afterAll(async () => {
  expect(await verifyLedger(plan.db)).toEqual([])
  await plan.close()
})

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
const call = (method: Method, path: string, { token, body }: { token?: string; body?: object } = {}) =>
  plan.call(method, path.startsWith("/") ? path : `/api/v1/${path}`, {
    ...(token !== undefined && { token }),
    ...(body && { body }),
  })
const logIn = (password: string, code?: string) =>
  call("POST", "auth/login", { body: { email: victim.email, password, code } })
const signIn = async (authenticator: Parameters<typeof signInAssertion>[1]) =>
  call("POST", "auth/passkeys", { body: { credential: await signInAssertion(plan, authenticator) } })
const press = async () => expect((await plan.press(await plan.newNotMePath(victim))).status).toBe(200)

const newPassword = "cavalo-bateria-grampo"

const reset = (password = newPassword) => plan.resetPassword(victim, password)

const frozen = { status: 403, json: { code: "account_frozen", status: "fail" } }
const redefine = {
  status: 403,
  json: { code: "password_reset_required", message: expect.stringContaining("Redefina") },
}

/** The calls that a frozen account may make, written here once more, so that whatever is added is refused until somebody has decided. */
const open = [
  "DELETE /api/v1/users/me/api-keys/:id",
  "DELETE /api/v1/users/me/push-subscriptions/:id",
  "DELETE /api/v1/users/me/sessions",
  "DELETE /api/v1/users/me/sessions/:id",
  "GET /api/v1/admin/accounts",
  "GET /api/v1/admin/accounts/:id/statement",
  "GET /api/v1/admin/approvals",
  "GET /api/v1/admin/audit-records",
  "GET /api/v1/admin/checkout-pages",
  "GET /api/v1/admin/checkout-pages/:id",
  "GET /api/v1/admin/daily-closes",
  "GET /api/v1/admin/daily-closes/:id",
  "GET /api/v1/admin/disputes",
  "GET /api/v1/admin/disputes/:id",
  "GET /api/v1/admin/invoices",
  "GET /api/v1/admin/journal",
  "GET /api/v1/admin/mandates",
  "GET /api/v1/admin/page-reports",
  "GET /api/v1/admin/pending-counts",
  "GET /api/v1/admin/reports/dashboard",
  "GET /api/v1/admin/reports/summary",
  "GET /api/v1/admin/reports/top-users",
  "GET /api/v1/admin/search",
  "GET /api/v1/admin/system",
  "GET /api/v1/admin/transactions",
  "GET /api/v1/admin/transactions/:id",
  "GET /api/v1/admin/transactions/:id/payment-disputes",
  "GET /api/v1/admin/transactions/:id/refunds",
  "GET /api/v1/admin/unmatched-payments",
  "GET /api/v1/admin/unmatched-payments/:id",
  "GET /api/v1/admin/users",
  "GET /api/v1/admin/users/:id",
  "GET /api/v1/admin/withdrawals",
  "GET /api/v1/admin/withdrawals/:id",
  "GET /api/v1/checkout/pages",
  "GET /api/v1/checkout/slugs/:slug",
  "GET /api/v1/customers",
  "GET /api/v1/customers/:id",
  "GET /api/v1/customers/:id/reminders",
  "GET /api/v1/counter/refund-requests",
  "GET /api/v1/counter/today",
  "GET /api/v1/shops/:id/invitations",
  "GET /api/v1/shops/:id/members",
  "GET /api/v1/shops/:id/screens",
  "GET /api/v1/users/me/push-subscriptions",
  "GET /api/v1/invoices",
  "GET /api/v1/invoices/:id",
  "GET /api/v1/invoices/:id/reminders",
  "GET /api/v1/mandates/:id",
  "GET /api/v1/payments/disputes",
  "GET /api/v1/payments/transactions",
  "GET /api/v1/payments/transactions/:id",
  "GET /api/v1/payments/transactions/:id/payment-disputes",
  "GET /api/v1/payments/transactions/:id/refunds",
  "GET /api/v1/plans",
  "GET /api/v1/reports/seller",
  "GET /api/v1/search",
  "GET /api/v1/settings",
  "GET /api/v1/subscriptions",
  "GET /api/v1/subscriptions/:id",
  "GET /api/v1/subscriptions/:id/cycles",
  "GET /api/v1/users/me",
  "GET /api/v1/users/me/api-keys",
  "GET /api/v1/users/me/destinations",
  "GET /api/v1/users/me/withdrawal-rule",
  "GET /api/v1/users/me/events",
  "GET /api/v1/users/me/factors",
  "GET /api/v1/users/me/income",
  "GET /api/v1/users/me/legal-texts",
  "GET /api/v1/users/me/notices",
  "GET /api/v1/users/me/passkeys",
  "GET /api/v1/users/me/reminders",
  "GET /api/v1/users/me/reminders/today",
  "GET /api/v1/users/me/return-origins",
  "GET /api/v1/users/me/sessions",
  "GET /api/v1/users/me/shop",
  "GET /api/v1/users/me/statement",
  "GET /api/v1/users/me/webhooks",
  "GET /api/v1/users/me/webhooks/:id",
  "GET /api/v1/users/me/webhooks/:id/deliveries",
  "GET /api/v1/users/me/webhooks/deliveries/:id/attempts",
  "GET /api/v1/users/myBalance",
  "GET /api/v1/withdrawals",
  "GET /api/v1/withdrawals/:id",
  "GET /api/v1/withdrawals/:id/sales",
  "PATCH /api/v1/users/me/notices/read",
  "POST /api/v1/auth/logout",
  "POST /api/v1/auth/step-up",
  "POST /api/v1/auth/step-up/options",
  "POST /api/v1/invoices/preview",
  "POST /api/v1/users/me/legal-texts",
]

describe("of all that a session opens, a frozen account", () => {
  const routes = servedRoutes(plan.app).filter(
    ({ audience, method }) => (audience === "seller" || audience === "admin") && method !== "HEAD",
  )
  const nameOf = ({ method, url }: { method: string; url: string }) => `${method} ${url}`

  test("is let in to these alone, and to no file", () => {
    expect(
      routes
        .filter(({ whileFrozen }) => whileFrozen)
        .map(nameOf)
        .toSorted(),
    ).toEqual(open.toSorted())
    expect(open.filter((each) => /export|backup|receipt/.test(each))).toEqual([])
  })

  test("is refused everything else, in whatever session, fresh or not, and by HEAD too", async () => {
    const other = await plan.administrator()
    await plan.press(await plan.newNotMePath(other))
    const fresh = await plan.freshSessionOf(other, "admin")
    for (const route of routes.filter(({ whileFrozen }) => !whileFrozen)) {
      const url = route.url.replaceAll(/:\w+/g, "01940000-0000-7000-8000-000000000000")
      const body = route.method === "GET" ? {} : { body: {} }
      const refused = await call(route.method as Method, url, { token: fresh, ...body })
      // Nobody's place in a shop is said first.
      const told = route.url.startsWith("/api/v1/shops/") ? { status: 403, json: { code: "role_forbidden" } } : frozen
      expect({ route: nameOf(route), ...refused }).toMatchObject(told)
      if (route.method !== "GET") continue
      const head = await plan.app.inject({ method: "HEAD", url, headers: { authorization: `Bearer ${fresh}` } })
      expect(head.statusCode).toBe(403)
    }
  })
})

test("the thief's password opens nothing any more, says how the owner gets in, and counts as no wrong one", async () => {
  const { key } = await insertApiKey(plan.db, victim.id)
  const stolen = await plan.freshSessionOf(victim)
  await press()
  expect((await call("GET", "users/me", { token: stolen })).status).toBe(401)
  expect(await logIn(sellerForm.password)).toMatchObject(redefine)
  expect(await logIn("uma senha errada")).toMatchObject({ status: 401, json: { code: "wrong_credentials" } })
  // However somebody came to have a session, the password confirms nothing in it.
  const token = await plan.sessionOf(victim)
  expect(await call("POST", "auth/step-up", { token, body: { password: sellerForm.password } })).toMatchObject(redefine)
  expect((await call("GET", "users/me/webhooks", { token: key })).json.code).toBe("api_key_frozen")
  const failures = plan.db.selectFrom("failed_logins").select("id").where("account_key", "=", victim.email)
  expect(await failures.execute()).toHaveLength(1)
})

test("where protection is relaxed a freeze contains as much", async () => {
  const site = await openTestApp()
  try {
    const token = await site.signUp("ana@loja.example")
    const { id } = await site.db
      .selectFrom("users")
      .select("id")
      .where("email", "=", "ana@loja.example")
      .executeTakeFirstOrThrow()
    const frozenAt = site.clock.now()
    const row = { id, user_id: id, frozen_at: frozenAt, trusts_factors_until: frozenAt, address: "" }
    await site.db.insertInto("freezes").values(row).execute()
    const ask = (method: Method, path: string, body?: object) =>
      site.call(method, `/api/v1/${path}`, { token, ...(body && { body }) })
    expect(await ask("POST", "users/me/totp")).toMatchObject(frozen)
    expect(await ask("GET", "users/me/export")).toMatchObject(frozen)
    expect(await ask("PUT", "users/me/return-origins", { origins: [] })).toMatchObject(frozen)
    expect((await ask("GET", "users/me")).status).toBe(200)
  } finally {
    await site.close()
  }
})

describe("a refund", () => {
  const refund = (id: string, token: string, amount = 10) =>
    call("POST", `payments/transactions/${id}/refunds`, { token, body: { amount } })

  /** One of R$ 100,00 that was paid to the victim. */
  async function paidCharge(): Promise<string> {
    const at = plan.clock.now().toISOString()
    const [pageId = ""] = await insertChargePages(plan.db, [{ sellerId: victim.id, at }])
    const id = await insertCharge(plan.db, { sellerId: victim.id, pageId, status: "pending", at, amountCents: 10_000 })
    const { txid } = await plan.db.selectFrom("charges").select("txid").where("id", "=", id).executeTakeFirstOrThrow()
    await bookPayments({ ...plan, log: createLog("silent") }, [
      { ...receiptOf(txid, 10_000), paidAt: plan.clock.now() },
    ])
    return id
  }
  const refundsOf = (id: string) => plan.db.selectFrom("refunds").select("id").where("charge_id", "=", id).execute()

  test("isn't asked for while the account is frozen, in a session or by a key, and is once it has ended", async () => {
    const id = await paidCharge()
    const { key } = await insertApiKey(plan.db, victim.id)
    await press()
    await reset()
    const { token } = (await logIn(newPassword)).json
    for (const _ of [1, 2]) expect(await refund(id, token)).toMatchObject(frozen)
    expect((await refund(id, key)).json.code).toBe("api_key_frozen")
    expect(await refundsOf(id)).toEqual([])
    for (const by of [admin, await plan.administrator()]) {
      await call("PATCH", `admin/users/${victim.id}/unfreeze`, { token: await plan.freshSessionOf(by, "admin") })
    }
    expect((await refund(id, token)).status).toBe(201)
    expect(await refundsOf(id)).toHaveLength(1)
    expect(await plan.left()).toHaveLength(1)
  })

  test("that comes in the same moment is made before the freeze or refused", async () => {
    const id = await paidCharge()
    const token = await plan.freshSessionOf(victim)
    const path = await plan.newNotMePath(victim)
    const replies = await Promise.all([
      ...[1, 2, 3].map((amount) => refund(id, token, amount)),
      plan.press(path),
      ...[4, 5, 6].map((amount) => refund(id, token, amount)),
    ])
    const refunded = replies.filter(({ status }) => status === 201)
    expect(await refundsOf(id)).toHaveLength(refunded.length)
    for (const { status } of replies) expect([200, 201, 401, 403]).toContain(status)
    // By a request that was let in before it.
    const actor = { id: victim.id, address: null }
    const late = { chargeId: id, actor, origin: "seller", amountCents: null, reason: "", idempotencyKey: null } as const
    await expect(requestRefund(plan, late)).rejects.toMatchObject({ code: "account_frozen" })
    expect(await plan.left()).toHaveLength(refunded.length)
  })
})

describe("the owner always gets back in by mail", () => {
  const factorsOf = async (token: string) => (await call("GET", "users/me/factors", { token })).json.data

  test.each([
    { when: "an hour before the mail whose button the owner presses", before: 3_600, after: 60 },
    { when: "in the very moment of the mail", before: 0, after: 60 },
    { when: "just before the button is pressed", before: -1_800, after: 60 },
  ])("when the thief enrolled an app, a passkey and codes $when", async ({ before, after }) => {
    const early = before < 0 ? await plan.newNotMePath(victim) : null
    plan.clock.pass(Math.abs(Math.min(0, before)))
    const { secret, recoveryCodes } = await enrolTotp(plan, { ...victim, token: await plan.sessionOf(victim) })
    const { authenticator } = await enrolPasskey(plan, { ...victim, token: await plan.sessionOf(victim) }, "Do ladrão")
    plan.clock.pass(Math.max(0, before))
    const path = early ?? (await plan.newNotMePath(victim))
    plan.clock.pass(after)
    expect((await plan.press(path)).status).toBe(200)
    expect(await signIn(authenticator)).toMatchObject(redefine)
    await reset()
    await plan.expectTold(victim, "Um segundo fator da sua conta foi desativado", {
      notice: "Segundo fator desativado",
    })
    const { status, json } = await logIn(newPassword)
    expect(status).toBe(200)
    expect(await factorsOf(json.token)).toMatchObject({ totp: null, passkeys: 0, recoveryCodesLeft: 0 })
    expect((await signIn(authenticator)).json.code).toBe("second_factor_invalid")
    const removed = (await auditOf(plan, victim.id)).filter(({ action }) => action === "second_factor.removed")
    expect(removed.map(({ before: facts }) => (facts as { method: string }).method).toSorted()).toEqual(
      ["passkey", "recovery_code", "totp"].toSorted(),
    )
    // The reset alone ends no freeze.
    expect(await call("POST", "users/me/totp", { token: json.token })).toMatchObject(frozen)
    expect((await logIn(newPassword, codeOf(secret, plan.clock.now()))).status).toBe(200)
    expect((await logIn(newPassword, recoveryCodes[0])).status).toBe(200)
    expect(await call("POST", "withdrawals", { token: json.token, body: {} })).toMatchObject(frozen)
  })

  test("when the thief's factor is older than that, by the button of the mail that told of it", async () => {
    const session = { ...victim, token: await plan.sessionOf(victim) }
    await enrolTotp(plan, session)
    const told = await plan.notMePath(victim)
    plan.clock.pass(3 * 86_400)
    await press()
    await reset()
    expect((await logIn(newPassword)).json.code).toBe("second_factor_required")
    expect((await plan.press(told)).status).toBe(200)
    await reset("outro-cavalo-bateria")
    expect((await logIn("outro-cavalo-bateria")).status).toBe(200)
  })

  test("and keeps a factor that was theirs, which ends the freeze", async () => {
    const { secret } = await enrolTotp(plan, victim)
    plan.clock.pass(2 * 86_400)
    const { authenticator } = await enrolPasskey(plan, { ...victim, token: await plan.sessionOf(victim) }, "Do ladrão")
    await press()
    await reset()
    expect((await logIn(newPassword)).json).toMatchObject({
      code: "second_factor_required",
      data: { methods: ["totp", "recovery_code"] },
    })
    expect((await signIn(authenticator)).json.code).toBe("second_factor_invalid")
    plan.clock.pass(60)
    const { status, json } = await logIn(newPassword, codeOf(secret, plan.clock.now()))
    expect(status).toBe(200)
    await plan.expectTold(victim, "Os saques da sua conta foram liberados")
    await plan.makeFresh(json.token)
    expect((await call("PUT", "users/me/return-origins", { token: json.token, body: { origins: [] } })).status).toBe(
      200,
    )
  })

  test("by a passkey that was theirs, too; the old password stays void until another is set", async () => {
    const { authenticator } = await enrolPasskey(plan, victim)
    plan.clock.pass(2 * 86_400)
    await press()
    const { status, json } = await signIn(authenticator)
    expect(status).toBe(200)
    expect((await call("GET", "users/me", { token: json.token })).status).toBe(200)
    expect(await logIn(sellerForm.password)).toMatchObject(redefine)
    await plan.makeFresh(json.token)
    const body = { passwordCurrent: sellerForm.password, password: newPassword, passwordConfirm: newPassword }
    expect(await call("PATCH", "auth/updateMyPassword", { token: json.token, body })).toMatchObject(redefine)
  })

  test("a sign-in that is under way when the button is pressed opens no session", async () => {
    const replies = await Promise.all([
      ...[1, 2, 3].map(() => logIn(sellerForm.password)),
      plan.newNotMePath(victim).then((path) => plan.press(path)),
      ...[4, 5, 6].map(() => logIn(sellerForm.password)),
    ])
    for (const { json } of replies) {
      if (json?.token !== undefined) expect((await call("GET", "users/me", { token: json.token })).status).toBe(401)
    }
    const left = plan.db.selectFrom("sessions").select("id").where("user_id", "=", victim.id)
    expect(await left.execute()).toEqual([])
  })
})

import { afterAll, expect, test } from "vitest"
import { ensureFirstAdmin } from "#people/users/first-admin"
import { newPerson, type Person } from "../../test-support/admins.ts"
import { enrolPasskey, stepUpAssertion } from "../../test-support/enrol-passkey.ts"
import { codeOf, enrolTotp } from "../../test-support/enrol-totp.ts"
import { insertApiKey } from "../../test-support/insert-api-key.ts"
import { saveSetting } from "../../test-support/save-setting.ts"
import { openTestApp, sellerForm, type TestApp } from "../../test-support/test-app.ts"
import { servedRoutes } from "./serve-endpoint.ts"

const site = await openTestApp({ protection: "strict" })
const admin = await newPerson(site, "dona@loja.example", "admin")
const seller = await newPerson(site, "ana@loja.example")

afterAll(() => site.close())

const { password } = sellerForm
const stepUp = ({ token }: Person, code?: string) =>
  site.call("POST", "/api/v1/auth/step-up", { token, body: { password, ...(code && { code }) } })

test("an administrator without a factor may enrol one, accept the terms, look after their sessions and leave, and nothing else", async () => {
  const guarded = servedRoutes(site.app).filter(({ audience }) => audience === "seller" || audience === "admin")
  const open = guarded.filter(({ method, beforeEnrolment }) => beforeEnrolment && method !== "HEAD")
  expect(open.map(({ method, url }) => `${method} ${url}`)).toEqual(openToUnenrolled)
  for (const { method, url } of guarded.filter(({ beforeEnrolment }) => !beforeEnrolment)) {
    const { status, json } = await site.call(method, url.replace(/:\w+/g, "x"), { token: admin.token })
    expect({ url, status }).toEqual({ url, status: 403 })
    // An administrator is in no shop's team, which is said first.
    const code = url.startsWith("/api/v1/shops/") ? "role_forbidden" : "second_factor_enrolment_required"
    if (json) expect(json.code).toBe(code)
  }
  expect(await requiredOf(site, admin.token)).toBe("second_factor")
})

/** Reads the action that the session is told to do before anything else. */
async function requiredOf(app: TestApp, token: string): Promise<unknown> {
  const { status, json } = await app.call("GET", "/api/v1/users/me", { token })
  expect(status).toBe(200)
  return json.data.user.requiredAction
}

const openToUnenrolled = [
  "GET /api/v1/users/me",
  "POST /api/v1/auth/logout",
  "PATCH /api/v1/auth/updateMyPassword",
  "GET /api/v1/users/me/sessions",
  "DELETE /api/v1/users/me/sessions/:id",
  "DELETE /api/v1/users/me/sessions",
  "GET /api/v1/users/me/legal-texts",
  "POST /api/v1/users/me/legal-texts",
  "GET /api/v1/users/me/factors",
  "POST /api/v1/users/me/totp",
  "POST /api/v1/users/me/totp/confirm",
  "DELETE /api/v1/users/me/totp",
  "GET /api/v1/users/me/passkeys",
  "POST /api/v1/users/me/passkeys",
  "DELETE /api/v1/users/me/passkeys/:id",
  "POST /api/v1/auth/step-up",
  "POST /api/v1/auth/step-up/options",
  "POST /api/v1/users/me/passkeys/options",
]

test("a seller without a factor is let in, and confirms with the password alone", async () => {
  const { token } = seller
  expect((await site.call("GET", "/api/v1/withdrawals", { token })).status).toBe(200)
  const refused = await site.call("POST", "/api/v1/users/me/totp", { token })
  expect(refused.json).toMatchObject({ code: "step_up_required", data: { methods: ["password"] } })
  expect((await stepUp(seller)).status).toBe(200)
  expect((await site.call("POST", "/api/v1/users/me/totp", { token })).status).toBe(200)
})

test("the password that the first start printed opens nothing but the way to another, in strict", async () => {
  const own = await openTestApp({ protection: "strict" })
  const { db, clock } = own
  const first = await ensureFirstAdmin({ db, clock }, { email: "primeira@loja.example", password: null })
  const credentials = { email: "primeira@loja.example", password: first?.inventedPassword ?? "" }
  const { token, data } = (await own.call("POST", "/api/v1/auth/login", { body: credentials })).json
  expect(data.user.requiredAction).toBe("new_password")
  expect((await own.call("GET", "/api/v1/settings", { token })).json.code).toBe("new_password_required")
  expect(await requiredOf(own, token)).toBe("new_password")
  await own.call("POST", "/api/v1/auth/step-up", { token, body: { password: credentials.password } })
  const body = { passwordCurrent: credentials.password, password: "minha-de-fato", passwordConfirm: "minha-de-fato" }
  expect((await own.call("PATCH", "/api/v1/auth/updateMyPassword", { token, body })).status).toBe(200)
  expect((await own.call("GET", "/api/v1/settings", { token })).json.code).toBe("second_factor_enrolment_required")
  expect(await requiredOf(own, token)).toBe("second_factor")
  await own.close()
})

test("where the setting says so a seller needs a factor too, and their programs go on", async () => {
  const bia = await newPerson(site, "bia@loja.example")
  const { key } = await insertApiKey(site.db, bia.id)
  const read = (token: string) => site.call("GET", "/api/v1/withdrawals", { token })
  expect((await read(bia.token)).status).toBe(200)
  await saveSetting(site.db, "SELLERS_NEED_SECOND_FACTOR", true)
  expect((await read(bia.token)).json.code).toBe("second_factor_enrolment_required")
  expect(await requiredOf(site, bia.token)).toBe("second_factor")
  const caio = { ...sellerForm, email: "caio@loja.example" }
  const signedUp = await site.call("POST", "/api/v1/auth/signup", { body: caio })
  expect(signedUp.json.data.user.requiredAction).toBe("second_factor")
  expect((await read(key)).status).toBe(200)
  await enrolTotp(site, bia)
  expect((await read(bia.token)).status).toBe(200)
  expect(await requiredOf(site, bia.token)).toBeUndefined()
  await saveSetting(site.db, "SELLERS_NEED_SECOND_FACTOR", false)
})

test("a passkey lets an administrator in as an app does, until the last factor is removed", async () => {
  const person = await newPerson(site, "socia@loja.example", "admin")
  const settings = () => site.call("GET", "/api/v1/settings", { token: person.token })
  const remove = (path: string) => site.call("DELETE", `/api/v1/users/me/${path}`, { token: person.token })
  expect((await settings()).json.code).toBe("second_factor_enrolment_required")
  const { authenticator, passkeyId } = await enrolPasskey(site, person)
  expect((await settings()).status).toBe(200)
  await enrolTotp(site, person)
  const credential = await stepUpAssertion(site, person, authenticator)
  await site.call("POST", "/api/v1/auth/step-up", { token: person.token, body: { credential } })
  expect((await remove(`passkeys/${passkeyId}`)).status).toBe(204)
  expect((await settings()).status).toBe(200)
  expect((await remove("totp")).status).toBe(204)
  expect((await settings()).json.code).toBe("second_factor_enrolment_required")
})

test("an administrator who enrolled is let in, and shut out again once the factor is removed", async () => {
  const { secret } = await enrolTotp(site, admin)
  const settings = () => site.call("GET", "/api/v1/settings", { token: admin.token })
  expect((await settings()).status).toBe(200)
  site.clock.pass(60)
  await stepUp(admin, codeOf(secret, site.clock.now()))
  expect((await site.call("DELETE", "/api/v1/users/me/totp", { token: admin.token })).status).toBe(204)
  expect((await settings()).json.code).toBe("second_factor_enrolment_required")
})

import { afterAll, beforeAll, expect, test } from "vitest"
import { newPerson, type Person } from "../../test-support/admins.ts"
import { codeOf, enrolTotp } from "../../test-support/enrol-totp.ts"
import { openTestApp, sellerForm, type TestApp } from "../../test-support/test-app.ts"
import { servedRoutes } from "./served-routes.ts"

let site: TestApp
let admin: Person
let seller: Person

beforeAll(async () => {
  site = await openTestApp({ protection: "strict" })
  admin = await newPerson(site, "dona@loja.example", "admin")
  seller = await newPerson(site, "ana@loja.example")
})

afterAll(async () => {
  await site.close()
})

const { password } = sellerForm
const stepUp = ({ token }: Person, code?: string) =>
  site.call("POST", "/api/v1/auth/step-up", { token, body: { password, ...(code && { code }) } })

test("an administrator without a factor may enrol one, look after their sessions and leave, and nothing else", async () => {
  const guarded = servedRoutes(site.app).filter(({ audience }) => audience === "seller" || audience === "admin")
  const open = guarded.filter(({ method, beforeEnrolment }) => beforeEnrolment && method !== "HEAD")
  expect(open.map(({ method, url }) => `${method} ${url}`)).toEqual(openToUnenrolled)
  for (const { method, url } of guarded.filter(({ beforeEnrolment }) => !beforeEnrolment)) {
    const { status, json } = await site.call(method, url.replace(/:\w+/g, "x"), { token: admin.token })
    expect({ url, status }).toEqual({ url, status: 403 })
    if (json) expect(json.code).toBe("second_factor_enrolment_required")
  }
  expect((await site.call("GET", "/api/v1/users/me", { token: admin.token })).status).toBe(200)
})

const openToUnenrolled = [
  "GET /api/v1/users/me",
  "POST /api/v1/auth/logout",
  "GET /api/v1/users/me/sessions",
  "DELETE /api/v1/users/me/sessions/:id",
  "DELETE /api/v1/users/me/sessions",
  "POST /api/v1/auth/step-up",
  "GET /api/v1/users/me/factors",
  "POST /api/v1/users/me/totp",
  "POST /api/v1/users/me/totp/confirm",
  "DELETE /api/v1/users/me/totp",
]

test("a seller without a factor is let in, and confirms with the password alone", async () => {
  const { token } = seller
  expect((await site.call("GET", "/api/v1/withdrawals", { token })).status).toBe(200)
  const refused = await site.call("POST", "/api/v1/users/me/totp", { token })
  expect(refused.json).toMatchObject({ code: "step_up_required", data: { methods: ["password"] } })
  expect((await stepUp(seller)).status).toBe(200)
  expect((await site.call("POST", "/api/v1/users/me/totp", { token })).status).toBe(200)
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

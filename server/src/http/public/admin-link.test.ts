import { afterAll, expect, test } from "vitest"
import { printAdminLink } from "#people/users/first-admin"
import { auditOf, newPerson } from "../../../test-support/admins.ts"
import { codeOf, enrolTotp } from "../../../test-support/enrol-totp.ts"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

const password = "outra senha comprida"

const reset = (token: string) =>
  site.call("PATCH", `/api/v1/auth/resetPassword/${token}`, { body: { password, passwordConfirm: password } })
const logIn = (email: string, code?: string) =>
  site.call("POST", "/api/v1/auth/login", { body: { email, password, ...(code !== undefined && { code }) } })

test("a printed link gives an administrator a new password, once; the sessions end, and all administrators hear", async () => {
  const admin = await newPerson(site, "chefe@tilinta.example", "admin")
  const other = await newPerson(site, "outra@tilinta.example", "admin")
  const { secret } = await enrolTotp(site, admin)
  const { token } = await printAdminLink(site, { email: "Chefe@Tilinta.example", removesFactors: false })

  expect((await site.call("GET", "/api/v1/users/me", { token: admin.token })).status).toBe(401)
  expect((await site.call("GET", "/api/v1/users/me", { token: other.token })).status).toBe(200)
  expect((await reset(token)).status).toBe(200)
  expect((await reset(token)).status).not.toBe(200)
  expect((await logIn(admin.email)).json.code).toBe("second_factor_required")
  expect((await logIn(admin.email, codeOf(secret, site.clock.now(), 1))).status).toBe(200)

  const printed = (await auditOf(site, admin.id)).filter(({ action }) => action === "user.link_printed")
  expect(printed).toMatchObject([{ actor_id: null, after: { factorsRemoved: false } }])
  const notices = await site.db.selectFrom("notices").select(["user_id", "content"]).execute()
  const told = notices.filter(({ content }) => (content as { kind: string }).kind === "reset_link_printed")
  expect(new Set(told.map((row) => row.user_id))).toEqual(new Set([admin.id, other.id]))
})

test("of two links printed at once only one works, and a lost factor goes only where that was asked for", async () => {
  const admin = await newPerson(site, "sem.celular@tilinta.example", "admin")
  await enrolTotp(site, admin)
  const input = { email: admin.email, removesFactors: true }
  const links = await Promise.all([printAdminLink(site, input), printAdminLink(site, input)])
  const answers = await Promise.all(links.map(({ token }) => reset(token)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await logIn(admin.email)).status).toBe(200)
})

test("neither a seller nor an inactive administrator nor a stranger gets one", async () => {
  const seller = await newPerson(site, sellerForm.email)
  const former = await newPerson(site, "antiga@tilinta.example", "admin")
  await site.db.updateTable("users").set({ active: false }).where("id", "=", former.id).execute()
  for (const email of [seller.email, former.email, "ninguem@tilinta.example"]) {
    await expect(printAdminLink(site, { email, removesFactors: false })).rejects.toMatchObject({
      code: "user_not_found",
    })
  }
  expect((await site.call("GET", "/api/v1/users/me", { token: seller.token })).status).toBe(200)
})

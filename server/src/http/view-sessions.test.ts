import { allExamples } from "@tilinta/contract/all-examples"
import { type Example, isViewable } from "@tilinta/contract/define-endpoint"
import { afterAll, describe, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { freezeAccount } from "#people/freezes/freeze"
import { auditOf, newPerson, type Person } from "../../test-support/admins.ts"
import { headersFor, requestOf } from "../../test-support/edge-calls.ts"
import { openEdgeWorld } from "../../test-support/edge-world.ts"
import { enrolTotp } from "../../test-support/enrol-totp.ts"
import { rewriteSessions } from "../../test-support/rewrite-sessions.ts"
import { saveSetting } from "../../test-support/save-setting.ts"
import { openTestApp } from "../../test-support/test-app.ts"
import { servedRoutes } from "./serve-endpoint.ts"

const world = await openEdgeWorld()
const site = await openTestApp()

afterAll(async () => {
  await world.close()
  await site.close()
})

const viewOnly = { status: 403, json: { code: "view_only", status: "fail" } }

describe("a session that only looks, on every call of the contract", () => {
  const names = allExamples.map((example): [string, Example] => [example.endpoint.operationId, example])

  test.each(names)("%s", async (_name, example) => {
    const owner = await world.user()
    const admin = await world.user("admin")
    const opened = await world.call("POST", `/api/v1/admin/users/${owner.id}/view-session`, { token: admin.token })
    const { url, body } = await requestOf(world, example, owner)
    const headers = await headersFor(world, url, owner)
    const call = { token: opened.json.data.token, headers: { accept: "application/json", ...headers } }
    const reply = await world.call(example.endpoint.method, url, { ...call, ...(body !== undefined && { body }) })
    if (isViewable(example.endpoint)) expect(reply.status).toBe(example.endpoint.reply.status)
    else expect(reply).toMatchObject(viewOnly)
  })

  test("only reads are viewable, and none that hands out a file or asks who it is", () => {
    const viewable = allExamples.map(({ endpoint }) => endpoint).filter(isViewable)
    expect(viewable.length).toBeGreaterThan(25)
    for (const { method, audience, stepUp, reply } of viewable) {
      expect({ method, stepUp, isFile: "file" in reply }).toEqual({ method: "GET", stepUp: undefined, isFile: false })
      expect(audience).not.toBe("admin")
    }
  })

  test("whatever route is served outside the contract is refused, too, and so is what isn't there", async () => {
    const { token } = (await openView(await newAdmin(), await newSeller())).json.data
    const known = new Set(allExamples.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`))
    const others = servedRoutes(site.app).filter(
      ({ method, url }) => url.startsWith("/api/v1/") && method !== "HEAD" && !known.has(`${method} ${url}`),
    )
    expect(others.length).toBeGreaterThan(0)
    for (const { method, url } of [...others, { method: "GET", url: "/api/v1/nada" }]) {
      const { status } = await site.call(method, url.replace(/:\w+/, newId()), { token })
      expect({ url, status }).toEqual({ url, status: 403 })
    }
  })
})

let made = 0
const newAdmin = () => newPerson(site, `admin-${++made}@tilinta.example`, "admin")
const newSeller = () => newPerson(site, `vendedora-${++made}@loja.example`)
const openView = (admin: Person, { id }: { id: string }) =>
  site.call("POST", `/api/v1/admin/users/${id}/view-session`, { token: admin.token })
const me = (token: string) => site.call("GET", "/api/v1/users/me", { token })
const setUser = (id: string, set: { role?: "user" | "admin"; active?: boolean }) =>
  site.db.updateTable("users").set(set).where("id", "=", id).execute()

async function viewed() {
  const [admin, seller] = [await newAdmin(), await newSeller()]
  const { token, expiresAt } = (await openView(admin, seller)).json.data
  return { admin, seller, token: token as string, expiresAt: expiresAt as string }
}

test("shows the seller's own account for fifteen minutes, and the seller's sessions go on", async () => {
  const { admin, seller, token, expiresAt } = await viewed()
  expect((await me(token)).json.data.user._id).toBe(seller.id)
  expect(Date.parse(expiresAt) - site.clock.now().getTime()).toBe(15 * 60_000)
  site.clock.pass(15 * 60 - 1)
  expect((await me(token)).status).toBe(200)
  site.clock.pass(1)
  expect((await me(token)).status).toBe(401)
  for (const own of [admin.token, seller.token]) expect((await me(own)).status).toBe(200)
})

test("is in the audit with who looked, and in the seller's notices; the seller's list of sessions shows it not", async () => {
  const { admin, seller, token } = await viewed()
  const records = (await auditOf(site, seller.id)).filter(({ action }) => action === "user.viewed")
  expect(records).toMatchObject([{ actor_id: admin.id, before: null }])
  const notices = (await site.call("GET", "/api/v1/users/me/notices", { token: seller.token })).json.data.notices
  expect(notices[0]).toMatchObject({ title: "Um administrador viu o seu painel", readAt: null })
  await site.call("GET", "/api/v1/users/me/notices", { token })
  const again = (await site.call("GET", "/api/v1/users/me/notices", { token: seller.token })).json.data
  expect(again.unread).toBe(1)
  const sessions = (await site.call("GET", "/api/v1/users/me/sessions", { token: seller.token })).json.data.sessions
  expect(sessions).toHaveLength(1)
})

test("what it is refused stands in the audit under the name of whoever looks", async () => {
  const { admin, token } = await viewed()
  expect(await site.call("PATCH", "/api/v1/users/updateMe", { token, body: { name: "Outra" } })).toMatchObject(viewOnly)
  expect(await site.call("POST", "/api/v1/auth/step-up", { token, body: { password: "senha-da-ana" } })).toMatchObject(
    viewOnly,
  )
  site.clock.pass(61)
  await site.accessNotes.flush()
  const refused = site.db.selectFrom("audit_records").select(["actor_id", "entity_id", "after"])
  expect(await refused.where("action", "=", "access.refused").where("actor_id", "=", admin.id).execute()).toMatchObject(
    [{ after: { code: "view_only" } }],
  )
})

test.each([
  ["the administrator is demoted", ({ admin }: { admin: Person }) => setUser(admin.id, { role: "user" })],
  ["the administrator is inactivated", ({ admin }: { admin: Person }) => setUser(admin.id, { active: false })],
  [
    "the administrator's account is frozen",
    ({ admin }: { admin: Person }) => {
      const freeze = { userId: admin.id, address: "127.0.0.1", trustsFactorsUntil: site.clock.now() }
      return site.db.transaction().execute((tx) => freezeAccount(tx, freeze, site.clock.now()))
    },
  ],
  ["the seller becomes an administrator", ({ seller }: { seller: Person }) => setUser(seller.id, { role: "admin" })],
  ["the seller is inactivated", ({ seller }: { seller: Person }) => setUser(seller.id, { active: false })],
])("ends when %s", async (_name, happens) => {
  const view = await viewed()
  expect((await me(view.token)).status).toBe(200)
  await happens(view)
  expect((await me(view.token)).status).toBe(401)
})

test("ends with the sessions of whoever opened it, and with those of the seller", async () => {
  const [one, other] = [await viewed(), await viewed()]
  const body = { passwordCurrent: "senha-da-ana", password: "outra-senha-forte", passwordConfirm: "outra-senha-forte" }
  expect((await site.call("PATCH", "/api/v1/auth/updateMyPassword", { token: one.admin.token, body })).status).toBe(200)
  expect((await me(one.token)).status).toBe(401)
  expect((await me(other.token)).status).toBe(200)
  const ended = await site.call("DELETE", `/api/v1/admin/users/${other.seller.id}/sessions`, {
    token: other.admin.token,
  })
  expect(ended.status).toBe(200)
  expect((await me(other.token)).status).toBe(401)
})

test("is for sellers with an active account alone, and opened by administrators alone", async () => {
  const [admin, seller] = [await newAdmin(), await newSeller()]
  const notViewable = { status: 409, json: { code: "user_not_viewable" } }
  expect(await openView(admin, await newAdmin())).toMatchObject(notViewable)
  expect(await openView(admin, admin)).toMatchObject(notViewable)
  await setUser(seller.id, { active: false })
  expect(await openView(admin, seller)).toMatchObject(notViewable)
  for (const id of ["nada", newId()]) expect(await openView(admin, { id })).toMatchObject({ status: 404 })
  const { token } = (await openView(admin, await newSeller())).json.data
  expect(await openView({ ...admin, token }, await newSeller())).toMatchObject(viewOnly)
  expect(await openView(await newSeller(), await newSeller())).toMatchObject({
    status: 403,
    json: { code: "forbidden" },
  })
})

test("asks for a step-up where protection is strict, and is kept from nothing by what its seller still has to do", async () => {
  const strict = await openTestApp({ protection: "strict" })
  try {
    const [admin, seller] = [
      await newPerson(strict, "chefe@tilinta.example"),
      await newPerson(strict, "ana@loja.example"),
    ]
    await enrolTotp(strict, admin)
    await strict.db.updateTable("users").set({ role: "admin" }).where("id", "=", admin.id).execute()
    await saveSetting(strict.db, "SELLERS_NEED_SECOND_FACTOR", true)
    const open = () => strict.call("POST", `/api/v1/admin/users/${seller.id}/view-session`, { token: admin.token })
    await rewriteSessions(strict.db, {}, { stepped_up_at: null })
    expect(await open()).toMatchObject({ status: 403, json: { code: "step_up_required" } })
    await rewriteSessions(strict.db, {}, { stepped_up_at: strict.clock.now() })
    const { token } = (await open()).json.data
    const shown = await strict.call("GET", "/api/v1/users/me", { token })
    expect(shown.json.data.user).not.toHaveProperty("requiredAction")
    expect((await strict.call("GET", "/api/v1/withdrawals", { token })).status).toBe(200)
    expect((await strict.call("GET", "/api/v1/withdrawals", { token: seller.token })).status).toBe(403)
  } finally {
    await strict.close()
  }
})

test("opens nothing with a token that was only made to look like one", async () => {
  const { token } = await viewed()
  expect((await me(token.replace("ver_", ""))).status).toBe(401)
  expect((await me(`ver_${"x".repeat(43)}`)).status).toBe(401)
})

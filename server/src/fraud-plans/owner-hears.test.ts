import { afterAll, afterEach, beforeEach, expect, test } from "vitest"
import { codeOf } from "../../test-support/enrol-totp.ts"
import { type Administrator, openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"
import { sellerForm } from "../../test-support/test-app.ts"

let victim: Victim
let admin: Administrator

const thief = { from: "203.0.113.66", headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0" } }

const plan = await openFraudPlan()

beforeEach(async () => {
  plan.clock.pass(3_600)
  victim = await plan.victim()
  admin = await plan.administrator()
})

afterEach(async () => {
  expect(await plan.left()).toEqual([])
})

afterAll(() => plan.close())

/** As mails tell it. */
const whence = ["Aparelho: Firefox no Linux", `Endereço IP: ${thief.from}`]

const logIn = (password: string, from: Pick<typeof thief, "from" | "headers"> = thief) =>
  plan.call("POST", "/api/v1/auth/login", { ...from, body: { email: victim.email, password } })

/** Their list, newest first; it was written in the transaction of the event, so no job is waited for. */
async function noticesOf(token: string): Promise<{ kind: string; facts: { value: string }[] }[]> {
  return (await plan.call("GET", "/api/v1/users/me/notices", { token })).json.data.notices
}

/** The newest records of an action, as the auditor sees them. */
async function recordsOf(action: string) {
  const token = await plan.freshSessionOf(admin, "admin")
  const { json } = await plan.call("GET", `/api/v1/admin/audit-records?action=${action}&limit=5`, { token })
  return json.data.records as {
    actor: { _id: string } | null
    actorAddress: string
    actorDevice: string
    requestId: string
    entityId: string
    changes: { field: string; after: unknown }[]
  }[]
}

test("a thief with the password is seen from the device that the account doesn't know", async () => {
  await logIn(sellerForm.password, { from: "198.51.100.1", headers: { "user-agent": "Chrome/140 Android" } })
  expect((await noticesOf(victim.token)).filter(({ kind }) => kind === "new_device")).toEqual([])
  const { status, headers } = await logIn(sellerForm.password)
  expect(status).toBe(200)
  const [notice] = await noticesOf(victim.token)
  expect(notice?.kind).toBe("new_device")
  expect(notice?.facts.map(({ value }) => value)).toEqual(["Firefox no Linux", "203.0.113.66"])
  await plan.expectTold(victim, "Entrada na sua conta por um aparelho novo", { says: ["203.0.113.66", "/not-me/"] })
  const record = (await recordsOf("session.opened")).find(({ actor }) => actor?._id === victim.id)
  expect(record).toMatchObject({ actorAddress: thief.from, actorDevice: thief.headers["user-agent"] })
  expect(record?.requestId).toBe(headers["x-request-id"])
})

test("ten guesses from ten addresses are told once, and each is in the audit", async () => {
  for (let n = 0; n < 12; n++) await logIn("chute", { ...thief, from: `198.51.${n}.7` })
  const told = (await noticesOf(victim.token)).filter(({ kind }) => kind === "failed_logins")
  expect(told).toHaveLength(1)
  expect(told[0]?.facts.map(({ value }) => value)).toEqual(["Firefox no Linux", "198.51.9.7"])
  await plan.expectTold(victim, "10 tentativas de entrar na sua conta", { says: ["198.51.9.7"] })
  const [failed] = await recordsOf("session.failed")
  expect(failed).toMatchObject({ actor: null, actorAddress: "198.51.11.7", entityId: victim.id })
  expect(failed?.actorDevice).toBe(thief.headers["user-agent"])
})

test("an administrator who changes an owner's data is told to the owner, and recorded with device and address", async () => {
  const change = plan.call("PATCH", `/api/v1/admin/users/${victim.id}`, {
    ...thief,
    token: admin.token,
    body: { name: "Outra Pessoa" },
  })
  expect((await change).status).toBe(200)
  expect((await noticesOf(victim.token))[0]?.facts.map(({ value }) => value)).toEqual([
    "de Ana Souza para Outra Pessoa",
  ])
  await plan.expectTold(victim, "Um administrador alterou a sua conta", {
    says: ["Nome: de Ana Souza para Outra Pessoa"],
  })
  const [record] = await recordsOf("user.updated")
  expect(record).toMatchObject({ actorAddress: thief.from, actorDevice: thief.headers["user-agent"] })
  expect(record?.actor?._id).toBe(admin.id)
})

test("a password changed by a stolen session that was confirmed is told at once, also to the session that it ended", async () => {
  const stolen = await plan.freshSessionOf(victim)
  const body = {
    passwordCurrent: sellerForm.password,
    password: "uma senha do ladrao 7",
    passwordConfirm: "uma senha do ladrao 7",
  }
  const { status } = await plan.call("PATCH", "/api/v1/auth/updateMyPassword", { ...thief, token: stolen, body })
  expect(status).toBe(200)
  expect((await plan.call("GET", "/api/v1/users/me", { token: victim.token })).status).toBe(401)
  await plan.expectTold(victim, "Sua senha foi alterada", { says: ["/not-me/", ...whence] })
  expect((await noticesOf(stolen))[0]?.facts.map(({ value }) => value)).toEqual(["Firefox no Linux", thief.from])
  expect((await recordsOf("user.password_changed"))[0]).toMatchObject({ actorAddress: thief.from })
  const [ended] = await recordsOf("session.ended")
  expect(ended?.actor?._id).toBe(victim.id)
})

test("mails about bank data, factors, passwords, keys and addresses tell device and address, accounts by their last four", async () => {
  const token = await plan.freshSessionOf(victim)
  const ask = (method: "POST" | "PATCH", path: string, body: object = {}) =>
    plan.call(method, `/api/v1/${path}`, { ...thief, token, body })
  const account = { bank: "Banco 7", agency: "7777", account: "12345-6", accountType: "corrente" }
  expect((await ask("PATCH", "users/updateMe", { bankAccount: account })).status).toBe(200)
  const told = await plan.expectTold(victim, "Seus dados de recebimento foram alterados", { says: whence })
  expect(told.text).toContain("•••45-6")
  expect(told.text).not.toContain("345-6")
  const { secret } = (await ask("POST", "users/me/totp")).json.data
  await ask("POST", "users/me/totp/confirm", { code: codeOf(secret, plan.clock.now()) })
  const notice = "Segundo fator ativado"
  await plan.expectTold(victim, "Um segundo fator foi ativado na sua conta", { notice, says: whence })
  const key = { name: "Loja", scopes: ["events:read"], expiresAt: null }
  expect((await ask("POST", "users/me/api-keys", key)).status).toBe(201)
  await plan.expectTold(victim, "Uma chave de API foi criada na sua conta", { says: whence })
  await ask("POST", "users/me/webhooks", { url: "https://8.8.8.8/ladrao", types: [] })
  await plan.expectTold(victim, "Um webhook foi cadastrado na sua conta", { says: whence })
  await plan.call("POST", "/api/v1/auth/forgotPassword", { ...thief, body: { email: victim.email } })
  const [mail] = (await plan.mailsTo(victim)).filter(({ subject }) => subject === "Redefinição de senha")
  for (const part of whence) expect(mail?.text).toContain(part)
})

test("an administrator throws a thief out of every session; the owner hears of it", async () => {
  const stolen = await plan.sessionOf(victim)
  const url = `/api/v1/admin/users/${victim.id}/sessions`
  expect((await plan.call("DELETE", url, { token: await plan.sessionOf(admin, "admin") })).json.code).toBe(
    "step_up_required",
  )
  const { status, json } = await plan.call("DELETE", url, { token: admin.token })
  expect({ status, ended: json.data.ended }).toEqual({ status: 200, ended: 2 })
  expect((await plan.call("GET", "/api/v1/users/me", { token: stolen })).status).toBe(401)
  await plan.expectTold(victim, "Um administrador encerrou as suas sessões", { says: ["2 sessões"] })
  expect((await recordsOf("session.ended"))[0]?.actor?._id).toBe(admin.id)
  expect((await plan.call("DELETE", url, { token: admin.token })).json.data.ended).toBe(0)
})

test("a thief who tries what asks for a confirmation leaves one record a minute, with every try counted", async () => {
  const token = await plan.sessionOf(victim)
  const attempt = (path: string) => plan.call("POST", path, { ...thief, token, body: {} })
  for (const path of ["/api/v1/users/me/totp", "/api/v1/users/me/api-keys", "/api/v1/users/me/totp"]) {
    expect((await attempt(path)).json.code).toBe("step_up_required")
  }
  await plan.accessNotes.flush()
  for (let n = 0; n < 20; n++) await attempt("/api/v1/users/me/totp")
  await plan.accessNotes.flush()
  const own = async () => (await recordsOf("access.refused")).filter(({ actor }) => actor?._id === victim.id)
  const [record, ...others] = await own()
  expect(others).toEqual([])
  expect(record).toMatchObject({ actorAddress: thief.from, actorDevice: thief.headers["user-agent"] })
  expect(record?.entityId).toBe("POST /api/v1/users/me/totp")
  expect(record?.changes).toEqual([
    { field: "code", before: null, after: "step_up_required" },
    { field: "attempts", before: null, after: 3 },
  ])
  plan.clock.pass(60)
  await plan.accessNotes.flush()
  const rest = (await own()).map(({ changes }) => changes.find(({ field }) => field === "attempts")?.after)
  expect(rest.toSorted()).toEqual([20, 3])
})

test("who lists the users is recorded, with what was asked for", async () => {
  const url = "/api/v1/admin/users?search=loja.example&limit=5"
  for (const _ of [1, 2]) await plan.call("GET", url, { ...thief, token: admin.token })
  await plan.accessNotes.flush()
  const [record] = await recordsOf("users.listed")
  expect(record).toMatchObject({ actorAddress: thief.from, entityId: "users" })
  expect(record?.changes).toContainEqual({ field: "attempts", before: null, after: 2 })
})

test.each([
  ["withdrawals", "withdrawals.listed"],
  ["transactions", "charges.listed"],
  ["invoices", "invoices.listed"],
  ["unmatched-payments", "unmatched_payments.listed"],
  ["disputes", "disputes.listed"],
])("who lists the %s of all sellers is recorded, too", async (path, action) => {
  const url = `/api/v1/admin/${path}?search=loja.example&limit=5`
  for (const _ of [1, 2]) expect((await plan.call("GET", url, { ...thief, token: admin.token })).status).toBe(200)
  await plan.accessNotes.flush()
  const [record] = await recordsOf(action)
  expect(record).toMatchObject({ actor: { _id: admin.id }, actorAddress: thief.from })
  expect(record?.changes).toContainEqual({ field: "search", before: null, after: "loja.example" })
  expect(record?.changes).toContainEqual({ field: "attempts", before: null, after: 2 })
})

test("a key that a thief makes, and an address that a program enters, are told with a way to stop them", async () => {
  const token = await plan.freshSessionOf(victim)
  const input = { name: "Loja", scopes: ["webhooks:write"], expiresAt: null }
  const { key } = (await plan.call("POST", "/api/v1/users/me/api-keys", { token, body: input })).json.data
  await plan.expectTold(victim, "Uma chave de API foi criada na sua conta", { says: ["/not-me/"] })
  const body = { url: "https://8.8.8.8/ladrao", types: [] }
  const { status } = await plan.call("POST", "/api/v1/users/me/webhooks", { token: key, body })
  expect(status).toBe(201)
  await plan.expectTold(victim, "Um webhook foi cadastrado na sua conta", { says: ["8.8.8.8/ladrao", "/not-me/"] })
  await plan.press(await plan.notMePath(victim))
  const refused = await plan.call("POST", "/api/v1/users/me/webhooks", { token: key, body })
  expect(refused.json.code).toBe("api_key_frozen")
})

test("a seller from before strict protection is asked for their address at a sign-in, once a day, and still hears of it", async () => {
  await plan.db.updateTable("users").set({ email_state: "unasked" }).where("id", "=", victim.id).execute()
  const asked = async () => (await plan.mailsTo(victim)).filter(({ text }) => text.includes("/confirm-email/"))
  for (const from of ["198.51.100.1", "198.51.100.2"]) await logIn(sellerForm.password, { ...thief, from })
  const [mail, ...others] = await asked()
  expect(others).toEqual([])
  await plan.expectTold(victim, "Entrada na sua conta por um aparelho novo", { says: ["/not-me/"] })
  await plan.press(/\/confirm-email\/[\w-]{43}/.exec(mail?.text ?? "")?.[0] ?? "no link")
  const state = plan.db.selectFrom("users").select("email_state").where("id", "=", victim.id)
  expect(await state.executeTakeFirstOrThrow()).toEqual({ email_state: "confirmed" })
  plan.clock.pass(2 * 86_400)
  await logIn(sellerForm.password)
  expect(await asked()).toHaveLength(1)
})

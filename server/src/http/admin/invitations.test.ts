import { afterAll, expect, test } from "vitest"
import { auditOf, newPerson } from "../../../test-support/admins.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const admin = await newPerson(site, "chefe@tilinta.example", "admin")

afterAll(() => site.close())

const url = "/api/v1/admin/users"
const hour = 3_600

async function invited(email: string, overrides: object = {}): Promise<string> {
  const body = { name: "Caio <Reis>", email, ...overrides }
  return (await site.call("POST", url, { token: admin.token, body })).json.data.user._id
}

/** Without what the owner hears of changes and sign-ins. */
const mailsTo = async (email: string) =>
  (await deliverMails(site, email)).filter(({ subject }) => !/^(?:Entrada|Um administrador)/.test(subject))
const linkIn = (mail: { text: string } | undefined) => /reset-password\/([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? ""
const newestLink = async (email: string) => linkIn((await mailsTo(email))[0])
const accept = (link: string, password = "senha-do-caio") =>
  site.call("PATCH", `/api/v1/auth/resetPassword/${link}`, { body: { password, passwordConfirm: password } })
const logIn = (email: string, password: string, from = "127.0.0.1") =>
  site.call("POST", "/api/v1/auth/login", { body: { email, password }, from })
const change = (id: string, body: object) => site.call("PATCH", `${url}/${id}`, { token: admin.token, body })

test("the mail greets by name and leads to the screen that sets a password, as text and as HTML", async () => {
  await invited("convidado@loja.example")
  const [mail, ...rest] = await mailsTo("convidado@loja.example")
  expect(rest).toEqual([])
  expect(mail?.subject).toBe("Sua conta foi criada: defina a sua senha")
  expect(mail?.text).toMatch(/http:\/\/localhost:3000\/reset-password\/[\w-]{43}\n/)
  expect(mail?.text).toContain("72 horas")
  expect(mail?.html).toMatch(/href="http:\/\/localhost:3000\/reset-password\/[\w-]{43}"/)
  expect(mail?.html).toContain("Caio &lt;Reis&gt;")
})

test("the password set with it works, and sends no mail about a change", async () => {
  const email = "aceita@loja.example"
  const id = await invited(email)
  expect((await accept(await newestLink(email))).status).toBe(200)
  const reply = await logIn(email, "senha-do-caio")
  expect(reply.status).toBe(200)
  expect(reply.json.data.user).toMatchObject({ _id: id, cpf: "", phone: "", address: { street: "" } })
  expect(await mailsTo(email)).toHaveLength(1)
  expect((await auditOf(site, id)).map(({ action }) => action)).toEqual([
    "user.created",
    "user.invited",
    "user.password_reset",
  ])
})

test("a user without a profile is served everywhere, and can fill it in", async () => {
  const email = "vazio@loja.example"
  await invited(email)
  await accept(await newestLink(email))
  const { token } = (await logIn(email, "senha-do-caio")).json
  for (const path of ["users/me", "users/myBalance", "checkout/pages", "payments/transactions", "withdrawals"]) {
    expect([path, (await site.call("GET", `/api/v1/${path}`, { token })).status]).toEqual([path, 200])
  }
  const body = { phone: "11987654321", address: { city: "Recife" }, bankAccount: { pixKey: "caio@loja.example" } }
  const saved = await site.call("PATCH", "/api/v1/users/updateMe", { token, body })
  expect(saved.json.data.user).toMatchObject(body)
})

test("a link works once, and of ten at once one succeeds", async () => {
  const email = "uma-vez@loja.example"
  await invited(email)
  const link = await newestLink(email)
  const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => accept(link, `senha-do-caio-${i}`)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 400)])
  expect((await accept(link)).status).toBe(400)
})

test("a link waits 72 hours and not a second longer", async () => {
  const [early, late] = ["cedo@loja.example", "tarde@loja.example"]
  await invited(early)
  await invited(late)
  const links = { early: await newestLink(early), late: await newestLink(late) }
  site.clock.pass(72 * hour - 1)
  expect((await accept(links.early)).status).toBe(200)
  site.clock.pass(1)
  expect((await accept(links.late)).status).toBe(400)
  admin.token = (await logIn(admin.email, "senha-da-ana")).json.token
})

test("an ordinary forgotten password takes the invitation's place", async () => {
  const email = "esqueceu@loja.example"
  await invited(email)
  const first = await newestLink(email)
  site.clock.pass(1)
  await site.call("POST", "/api/v1/auth/forgotPassword", { body: { email } })
  const second = await newestLink(email)
  expect((await mailsTo(email))[0]?.subject).toBe("Redefinição de senha")
  expect((await accept(first)).status).toBe(400)
  expect((await accept(second)).status).toBe(200)
})

test("an account without a password can't log in, and the answer is that of a wrong password", async () => {
  const email = "sem-senha@loja.example"
  await invited(email)
  for (const password of ["null", "undefined", "senha-da-ana", " "]) {
    const reply = await logIn(email, password, "10.2.2.2")
    expect(reply.status).toBe(401)
    expect(reply.json).toEqual({ status: "fail", code: "wrong_credentials", message: "E-mail ou senha incorretos." })
  }
})

test("neither the database nor the audit keeps a link that works", async () => {
  const email = "cofre@loja.example"
  const id = await invited(email)
  const link = await newestLink(email)
  const rows = await Promise.all([
    site.db.selectFrom("password_resets").selectAll().execute(),
    site.db.selectFrom("mails").selectAll().execute(),
    auditOf(site, id),
  ])
  expect(link).toHaveLength(43)
  expect(JSON.stringify(rows)).not.toContain(link)
})

test("an inactive user is invited when activated, and earlier invitations don't work", async () => {
  const email = "depois@loja.example"
  const id = await invited(email, { active: false })
  expect(await mailsTo(email)).toEqual([])
  expect((await logIn(email, "qualquer-uma", "10.2.2.3")).json.code).toBe("wrong_credentials")
  await change(id, { active: true })
  const first = await newestLink(email)
  site.clock.pass(1)
  await change(id, { active: false })
  expect((await accept(first)).status).toBe(400)
  await change(id, { active: true })
  const second = await newestLink(email)
  expect((await accept(first)).status).toBe(400)
  expect((await accept(second)).status).toBe(200)
})

test("whose address was mistyped is invited at the right one, and the wrong one's link opens nothing", async () => {
  const [wrong, right] = ["caoi@loja.example", "caio@loja.example"]
  const id = await invited(wrong)
  const wrongLink = await newestLink(wrong)
  await change(id, { email: right })
  expect((await accept(wrongLink)).status).toBe(400)
  expect((await accept(await newestLink(right))).status).toBe(200)
  expect((await logIn(right, "senha-do-caio")).status).toBe(200)
})

test("a user with a password is not invited again", async () => {
  const email = "pronta@loja.example"
  const { id } = await newPerson(site, email)
  await change(id, { active: false })
  await change(id, { active: true })
  expect(await mailsTo(email)).toEqual([])
})

const again = (id: string) => site.call("POST", `${url}/${id}/invitation`, { token: admin.token })
const tokenIn = (invitationUrl: string) => /\/reset-password\/([\w-]{43})$/.exec(invitationUrl)?.[1] ?? ""
const emailStateOf = async (id: string) =>
  (await site.db.selectFrom("users").select("email_state").where("id", "=", id).executeTakeFirstOrThrow()).email_state

test("the answer holds another link, which works once and proves no mailbox; the mailed one proves it", async () => {
  const create = (email: string) =>
    site.call("POST", url, { token: admin.token, body: { name: "Caio", email }, headers: { "idempotency-key": email } })
  const { user, invitation } = (await create("copiado@loja.example")).json.data
  expect(invitation).toEqual({
    url: expect.stringMatching(/^http:\/\/localhost:3000\/reset-password\/[\w-]{43}$/),
    expiresAt: new Date(site.clock.now().getTime() + 72 * hour * 1000).toISOString(),
  })
  const link = tokenIn(invitation.url)
  expect(link).not.toBe(await newestLink("copiado@loja.example"))
  expect((await create("copiado@loja.example")).json.data.invitation).toBeUndefined()
  expect((await accept(link)).status).toBe(200)
  expect((await accept(link)).status).toBe(400)
  expect(await emailStateOf(user._id)).toBe("unasked")
  expect((await accept(await newestLink("copiado@loja.example"))).status).toBe(400)

  const mailed = (await create("pelo-correio@loja.example")).json.data
  expect((await accept(await newestLink("pelo-correio@loja.example"))).status).toBe(200)
  expect((await accept(tokenIn(mailed.invitation.url))).status).toBe(400)
  expect(await emailStateOf(mailed.user._id)).toBe("confirmed")
})

test("another invitation ends the earlier links, as often as somebody asks, until the person has come in", async () => {
  const email = "outro-convite@loja.example"
  const body = { name: "Caio", email }
  const created = (await site.call("POST", url, { token: admin.token, body })).json.data
  const [mailed, copied] = [await newestLink(email), tokenIn(created.invitation.url)]
  for (const _ of [1, 2, 3, 4]) {
    site.clock.pass(1)
    expect((await again(created.user._id)).status).toBe(201)
  }
  site.clock.pass(1)
  const newest = (await again(created.user._id)).json.data.invitation
  for (const old of [mailed, copied]) expect((await accept(old)).status).toBe(400)
  expect((await site.call("GET", `${url}/${created.user._id}`, { token: admin.token })).json.data.isInvited).toBe(true)
  expect((await accept(tokenIn(newest.url))).status).toBe(200)
  expect((await site.call("GET", `${url}/${created.user._id}`, { token: admin.token })).json.data.isInvited).toBe(false)
  expect(await again(created.user._id)).toMatchObject({ status: 409, json: { code: "user_not_invitable" } })
  const records = await auditOf(site, created.user._id)
  expect(records.filter(({ action }) => action === "user.invited")).toHaveLength(6)
  expect(JSON.stringify(records)).not.toContain(tokenIn(newest.url))
})

test("of two administrators who invite at once, the later one's links work", async () => {
  const email = "dois-convites@loja.example"
  const id = await invited(email)
  const replies = await Promise.all([again(id), again(id)])
  expect(replies.map(({ status }) => status)).toEqual([201, 201])
  const links = replies.map(({ json }) => tokenIn(json.data.invitation.url))
  const accepted: number[] = []
  for (const link of links) accepted.push((await accept(link)).status)
  expect(accepted.toSorted()).toEqual([200, 400])
})

test("an administrator's link is only mailed: in other hands it would make one person two", async () => {
  const body = { name: "Chefe Dois", email: "chefe-dois@tilinta.example", role: "admin" }
  const { user, invitation } = (await site.call("POST", url, { token: admin.token, body })).json.data
  expect(invitation).toBeUndefined()
  expect(await newestLink(body.email)).toHaveLength(43)
  expect(await again(user._id)).toMatchObject({ status: 409, json: { code: "user_not_invitable" } })
  for (const id of ["nada", admin.id]) expect((await again(id)).status).toBe(id === "nada" ? 404 : 409)
})

import { afterAll, expect, test } from "vitest"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

const logIn = (email: string, password: string, from = "127.0.0.1") =>
  site.call("POST", "/api/v1/auth/login", { body: { email, password }, from })
const change = (token: string, passwordCurrent: string, password = "senha-nova-1", from = "127.0.0.1") =>
  site.call("PATCH", "/api/v1/auth/updateMyPassword", {
    token,
    from,
    body: { passwordCurrent, password, passwordConfirm: password },
  })
const statusOfMe = async (token: string) => (await site.call("GET", "/api/v1/users/me", { token })).status

const wrong = {
  status: "fail",
  code: "validation_failed",
  message: "Senha atual incorreta",
  errors: [{ path: "passwordCurrent", message: "Senha atual incorreta" }],
}

test("a new password holds at once, ends the other sessions and leaves this one", async () => {
  const email = "troca@loja.example"
  const mine = await site.signUp(email)
  const other = (await logIn(email, "senha-da-ana")).json.token
  const reply = await change(mine, "senha-da-ana")
  expect(reply.status).toBe(200)
  expect(reply.json).toEqual({ status: "success", message: "Senha atualizada com sucesso!" })
  expect(await statusOfMe(mine)).toBe(200)
  expect(await statusOfMe(other)).toBe(401)
  expect((await logIn(email, "senha-da-ana")).status).toBe(401)
  expect((await logIn(email, "senha-nova-1")).status).toBe(200)
  const mails = await deliverMails(site, email)
  const subjects = mails.map((mail) => mail.subject)
  expect(subjects.filter((subject) => !subject.startsWith("Entrada"))).toEqual(["Sua senha foi alterada"])
})

test("a link that was mailed before the change opens nothing any more", async () => {
  const email = "link@loja.example"
  const token = await site.signUp(email)
  await site.call("POST", "/api/v1/auth/forgotPassword", { body: { email } })
  const [mail] = await deliverMails(site, email)
  const link = /reset-password\/([\w-]+)/.exec(mail?.text ?? "")?.[1]
  expect((await change(token, "senha-da-ana")).status).toBe(200)
  const body = { password: "senha-do-ladrao", passwordConfirm: "senha-do-ladrao" }
  expect((await site.call("PATCH", `/api/v1/auth/resetPassword/${link}`, { body })).status).toBe(400)
})

test("the present password must be right, and a wrong one changes nothing", async () => {
  const email = "errada@loja.example"
  const token = await site.signUp(email)
  const reply = await change(token, "chute")
  expect(reply.status).toBe(422)
  expect(reply.json).toEqual(wrong)
  expect((await logIn(email, "senha-da-ana")).status).toBe(200)
})

test("A10: wrong present passwords count like failed logins, also when they come all at once", async () => {
  const email = "adivinha@loja.example"
  const token = await site.signUp(email)
  const replies = await Promise.all(
    Array.from({ length: 15 }, () => change(token, "chute", "senha-nova-1", "10.8.0.1")),
  )
  expect(replies.map((reply) => reply.status).sort()).toEqual([...Array(10).fill(422), ...Array(5).fill(429)])
  expect((await change(token, "senha-da-ana", "senha-nova-1", "10.8.0.1")).status).toBe(429)
  expect((await logIn(email, "senha-da-ana", "10.8.0.1")).status).toBe(429)
  expect((await change(token, "senha-da-ana", "senha-nova-1", "10.8.0.2")).status).toBe(200)
})

test("of two changes at once with the same present password one succeeds", async () => {
  const email = "dupla@loja.example"
  const token = await site.signUp(email)
  const replies = await Promise.all([
    change(token, "senha-da-ana", "senha-a-1"),
    change(token, "senha-da-ana", "senha-b-1"),
  ])
  expect(replies.map((reply) => reply.status).sort()).toEqual([200, 422])
  const winner = replies[0]?.status === 200 ? "senha-a-1" : "senha-b-1"
  expect((await logIn(email, winner)).status).toBe(200)
})

test.each([
  [{}, "Preencha todos os campos obrigatórios"],
  [{ password: "1234567", passwordConfirm: "1234567" }, "A senha deve ter pelo menos 8 caracteres"],
  [{ password: "senha-nova-1", passwordConfirm: "senha-nova-2" }, "As senhas não coincidem"],
])("a broken rule is reported before any password is checked (%j)", async (overrides, message) => {
  const token = await site.signUp(`regra-${message.length}@loja.example`)
  const reply = await site.call("PATCH", "/api/v1/auth/updateMyPassword", {
    token,
    body: { passwordCurrent: "senha-da-ana", ...overrides },
  })
  expect({ status: reply.status, message: reply.json.message }).toEqual({ status: 422, message })
})

test("nobody changes a password without a session", async () => {
  expect((await change("A".repeat(43), "senha-da-ana")).status).toBe(401)
})

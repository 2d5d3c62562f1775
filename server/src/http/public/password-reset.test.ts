import { afterAll, describe, expect, test } from "vitest"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

const signUp = async (email: string, from?: string) => {
  const reply = await site.call("POST", "/api/v1/auth/signup", {
    body: { ...sellerForm, email },
    ...(from !== undefined && { from }),
  })
  return reply.json.token as string
}
const forgot = (email: unknown, headers: Record<string, string> = {}) =>
  site.call("POST", "/api/v1/auth/forgotPassword", { body: { email }, headers })
const reset = (token: string, password = "senha-nova-1", passwordConfirm = password) =>
  site.call("PATCH", `/api/v1/auth/resetPassword/${token}`, { body: { password, passwordConfirm } })
const logIn = (email: string, password: string, from = "127.0.0.1") =>
  site.call("POST", "/api/v1/auth/login", { body: { email, password }, from })
const countRows = async (table: "password_resets" | "password_reset_requests") =>
  (await site.db.selectFrom(table).selectAll().execute()).length

async function tokenFor(email: string): Promise<string> {
  await forgot(email)
  const [mail] = await deliverMails(site, email)
  return /reset-password\/([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? ""
}

const invalidLink = {
  status: "fail",
  code: "reset_token_invalid",
  message: "Link inválido ou expirado. Peça um novo e-mail de recuperação.",
}

describe("forgotPassword", () => {
  test("sends the stored address a link to the screen that sets a new password", async () => {
    await signUp("Esqueci@Loja.example")
    const reply = await forgot("  ESQUECI@loja.example ")
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({
      status: "success",
      message: "Email de recuperação enviado. Verifique sua caixa de entrada.",
    })
    const mails = await deliverMails(site, "esqueci@loja.example")
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({ to: "Esqueci@Loja.example", subject: "Redefinição de senha" })
    expect(mails[0]?.text).toMatch(/http:\/\/localhost:3000\/reset-password\/[\w-]{43}\n/)
    expect(mails[0]?.html).toMatch(/href="http:\/\/localhost:3000\/reset-password\/[\w-]{43}"/)
  })

  test("an address without an account gets the same answer and the same work, and no mail", async () => {
    await signUp("existe@loja.example")
    const [known, unknown] = [await forgot("existe@loja.example"), await forgot("ninguem@loja.example")]
    expect({ status: unknown.status, body: unknown.text }).toEqual({ status: known.status, body: known.text })
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(known.headers))
    const requests = await site.db.selectFrom("password_reset_requests").select("email_key").orderBy("id").execute()
    expect(requests).toEqual([{ email_key: "existe@loja.example" }, { email_key: "ninguem@loja.example" }])
    expect(await deliverMails(site, "ninguem@loja.example")).toEqual([])
    expect(await countRows("password_reset_requests")).toBe(0)
  })

  test("an inactive account gets the same answer and no mail", async () => {
    await signUp("parada@loja.example")
    await site.db.updateTable("users").set({ active: false }).where("email_key", "=", "parada@loja.example").execute()
    expect((await forgot("parada@loja.example")).status).toBe(200)
    expect(await deliverMails(site, "parada@loja.example")).toEqual([])
  })

  test.each([
    ["a list", ["vitima@loja.example", "atacante@mal.example"]],
    ["an object", { $ne: "" }],
    ["a line break", "vitima@loja.example\r\nBcc: atacante@mal.example"],
    ["a number", 7],
    ["NUL", "vitima\u0000@loja.example"],
  ])("A04: %s is refused with 400 and nobody gets a mail", async (_name, email) => {
    expect((await forgot(email)).status).toBe(400)
    expect(await countRows("password_reset_requests")).toBe(0)
  })

  test("A04: two addresses in one text and an empty one are refused", async () => {
    for (const email of ["vitima@loja.example,atacante@mal.example", "vitima", ""]) {
      expect((await forgot(email)).status).toBe(422)
    }
    expect(await countRows("password_reset_requests")).toBe(0)
  })

  test("A04: look-alike letters reach no other account", async () => {
    await signUp("mike@loja.example")
    expect((await forgot("mıke@loja.example")).status).toBe(422)
    expect((await forgot("ｍike@loja.example")).status).toBe(422)
    expect((await forgot("mike@ｌoja.example.evil.example")).status).toBe(200)
    await deliverMails(site)
    expect(await deliverMails(site, "mike@loja.example")).toEqual([])
  })

  test("A03: the link leads to the configured address, whatever the request claims", async () => {
    await signUp("host@loja.example")
    await forgot("host@loja.example", {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
    })
    const [mail] = await deliverMails(site, "host@loja.example")
    expect(mail?.text).toContain("http://localhost:3000/reset-password/")
    expect(`${mail?.text}${mail?.html}`).not.toContain("evil")
  })

  test("A15: at most three mails per address and hour, whoever requests them", async () => {
    const email = "insistente@loja.example"
    await signUp(email)
    for (let i = 0; i < 5; i++) {
      const replies = await Promise.all(Array.from({ length: 8 }, () => forgot(email)))
      expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1)
      await Promise.all([deliverMails(site), deliverMails(site)])
    }
    expect(await deliverMails(site, email)).toHaveLength(3)
    site.clock.pass(3_601)
    await forgot(email)
    expect(await deliverMails(site, email)).toHaveLength(4)
  })

  test("neither the database nor the queue keeps a link that works", async () => {
    const token = await tokenFor((await signUp("segredo@loja.example")) && "segredo@loja.example")
    const resets = await site.db.selectFrom("password_resets").selectAll().execute()
    const mails = await site.db.selectFrom("mails").selectAll().execute()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify([resets, mails])).not.toContain(token)
    expect(resets.map((row) => row.token_hash.toString("latin1")).join()).not.toContain(token)
  })
})

describe("resetPassword", () => {
  test("sets the password, ends every session, and mails the owner", async () => {
    const email = "volta@loja.example"
    const oldSession = await signUp(email)
    const reply = await reset(await tokenFor(email))
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ status: "success", message: "Senha redefinida com sucesso!" })
    expect((await site.call("GET", "/api/v1/users/me", { token: oldSession })).status).toBe(401)
    expect((await logIn(email, "senha-da-ana")).status).toBe(401)
    expect((await logIn(email, "senha-nova-1")).status).toBe(200)
    const subjects = (await deliverMails(site, email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject === "Sua senha foi alterada")).toHaveLength(1)
  })

  test("A05: a link works once, and of ten at once one succeeds", async () => {
    const email = "dez@loja.example"
    await signUp(email)
    const token = await tokenFor(email)
    const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => reset(token, `senha-nova-${i}`)))
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 400)])
    expect(replies.find((reply) => reply.status === 400)?.json).toEqual(invalidLink)
    const winner = replies.findIndex((reply) => reply.status === 200)
    expect((await logIn(email, `senha-nova-${winner}`)).status).toBe(200)
    expect((await reset(token)).json).toEqual(invalidLink)
  })

  test("A05: only the newest link works, for thirty minutes", async () => {
    const email = "nova@loja.example"
    await signUp(email)
    const older = await tokenFor(email)
    site.clock.pass(1)
    const newer = await tokenFor(email)
    expect(newer).not.toBe(older)
    expect((await reset(older)).status).toBe(400)
    site.clock.pass(30 * 60)
    expect((await reset(newer)).status).toBe(400)
    site.clock.pass(1)
    const newest = await tokenFor(email)
    site.clock.pass(30 * 60 - 1)
    expect((await reset(newest)).status).toBe(200)
  })

  test("with strict protection a link works for ten minutes, as its mail says", async () => {
    const strict = await openTestApp({ protection: "strict" })
    const email = "breve@loja.example"
    const body = { password: "senha-nova-1", passwordConfirm: "senha-nova-1" }
    const ask = async () => {
      await strict.call("POST", "/api/v1/auth/forgotPassword", { body: { email } })
      const [mail] = await deliverMails(strict, email)
      expect(mail?.text).toContain("O link vale por 10 minutos")
      return /reset-password\/([\w-]{43})/.exec(mail?.text ?? "")?.[1] ?? ""
    }
    try {
      await strict.signUp(email)
      const late = await ask()
      strict.clock.pass(10 * 60)
      expect((await strict.call("PATCH", `/api/v1/auth/resetPassword/${late}`, { body })).json).toEqual(invalidLink)
      const early = await ask()
      strict.clock.pass(10 * 60 - 1)
      expect((await strict.call("PATCH", `/api/v1/auth/resetPassword/${early}`, { body })).status).toBe(200)
    } finally {
      await strict.close()
    }
  })

  test("A05: cut, made-up and foreign links open nothing", async () => {
    const email = "cortada@loja.example"
    const session = await signUp(email)
    const token = await tokenFor(email)
    for (const bad of [
      token.slice(0, -1),
      `${token}A`,
      "A".repeat(43),
      session,
      "%00",
      "[object Object]",
      "' or 1=1--",
    ]) {
      const reply = await reset(encodeURIComponent(bad).replace("%2500", "%00"))
      expect({ bad, status: reply.status }).toEqual({ bad, status: 400 })
    }
    expect((await reset(token)).status).toBe(200)
  })

  test("A07: a reset link is no session", async () => {
    await signUp("chave@loja.example")
    const token = await tokenFor("chave@loja.example")
    expect((await site.call("GET", "/api/v1/users/me", { token })).status).toBe(401)
  })

  test.each([
    ["1234567", "1234567", "A senha deve ter pelo menos 8 caracteres"],
    ["senha-nova-1", "senha-nova-2", "As senhas não coincidem"],
    ["", "", "Preencha todos os campos obrigatórios"],
  ])("the rules of a password hold, and a broken one costs no link (%j)", async (password, confirm, message) => {
    const email = `regra${password.length}@loja.example`
    await signUp(email)
    const token = await tokenFor(email)
    const reply = await reset(token, password, confirm)
    expect({ status: reply.status, message: reply.json.message }).toEqual({ status: 422, message })
    expect((await reset(token)).status).toBe(200)
  })

  test("A10: an owner locked out by guesses gets in with the new password", async () => {
    const email = "trancada@loja.example"
    await signUp(email)
    for (let i = 0; i < 10; i++) await logIn(email, "chute", "10.9.0.1")
    expect((await logIn(email, "senha-da-ana", "10.9.0.1")).status).toBe(429)
    await reset(await tokenFor(email))
    expect((await logIn(email, "senha-nova-1", "10.9.0.1")).status).toBe(200)
  })

  test("A12: spaces at the ends, long ones and accents stay as typed", async () => {
    const email = "exata@loja.example"
    await signUp(email)
    const password = ` ${"ãéîõü".repeat(16)} `
    expect((await reset(await tokenFor(email), password)).status).toBe(200)
    expect((await logIn(email, password.trim())).status).toBe(401)
    expect((await logIn(email, password.normalize("NFD"))).status).toBe(401)
    expect((await logIn(email, password.slice(0, 79))).status).toBe(401)
    expect((await logIn(email, password)).status).toBe(200)
  })
})

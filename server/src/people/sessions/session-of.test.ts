import { afterAll, expect, test } from "vitest"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

const me = (token?: string) => site.call("GET", "/api/v1/users/me", token === undefined ? {} : { token })
const hours = 3600

test.each([
  ["no header", {}],
  ["an unknown token", { authorization: `Bearer ${"x".repeat(43)}` }],
  ["a token of another shape", { authorization: "Bearer abc" }],
  ["another scheme", { authorization: "Basic YTpi" }],
  ["an empty header", { authorization: "" }],
])("%s is no session", async (_name, headers: Record<string, string>) => {
  const reply = await site.call("GET", "/api/v1/users/me", { headers })
  expect(reply.status).toBe(401)
  expect(reply.json).toEqual({
    status: "fail",
    message: "Sessão expirada. Faça login novamente.",
    code: "unauthenticated",
  })
  expect(reply.headers["www-authenticate"]).toBe("Bearer")
})

test("logout ends this session and no other", async () => {
  const first = await site.signUp("sai@loja.example")
  const login = await site.call("POST", "/api/v1/auth/login", {
    body: { email: "sai@loja.example", password: "senha-da-ana" },
  })
  const reply = await site.call("POST", "/api/v1/auth/logout", { token: first })
  expect(reply.json).toEqual({ status: "success", message: "Você saiu da sua conta" })
  expect((await me(first)).status).toBe(401)
  expect((await me(login.json.token)).status).toBe(200)
})

test("a session ends after seven idle days and lives on while it is used, up to thirty days", async () => {
  const idle = await site.signUp("parada@loja.example")
  const used = await site.signUp("usada@loja.example")
  for (let day = 0; day < 29; day += 1) {
    site.clock.pass(24 * hours)
    expect((await me(used)).status).toBe(200)
  }
  expect((await me(idle)).status).toBe(401)
  site.clock.pass(24 * hours)
  expect((await me(used)).status).toBe(401)
})

test("an admin's session ends after twelve idle hours", async () => {
  const token = await site.signUp("chefe@loja.example")
  await site.db.updateTable("users").set({ role: "admin" }).where("email_key", "=", "chefe@loja.example").execute()
  site.clock.pass(12 * hours - 1)
  expect((await me(token)).status).toBe(200)
  site.clock.pass(12 * hours)
  expect((await me(token)).status).toBe(401)
})

test("a session is noted as used at most once in five minutes", async () => {
  const token = await site.signUp("nota@loja.example")
  const lastUse = async () => {
    const row = await site.db
      .selectFrom("sessions")
      .innerJoin("users", "users.id", "sessions.user_id")
      .where("email_key", "=", "nota@loja.example")
      .select("last_used_at")
      .executeTakeFirstOrThrow()
    return row.last_used_at
  }
  const opened = await lastUse()
  site.clock.pass(300)
  await me(token)
  expect(await lastUse()).toEqual(opened)
  site.clock.pass(1)
  await me(token)
  expect(await lastUse()).toEqual(site.clock.now())
})

test("an inactivated user is out at once", async () => {
  const token = await site.signUp("fora@loja.example")
  await site.db.updateTable("users").set({ active: false }).where("email_key", "=", "fora@loja.example").execute()
  expect((await me(token)).status).toBe(401)
})

test("the balance is in reais, what may be withdrawn now", async () => {
  const token = await site.signUp("saldo@loja.example")
  const reply = await site.call("GET", "/api/v1/users/myBalance", { token })
  expect(reply.json).toEqual({ status: "success", data: { balance: 0, blocked: 0, toCome: 0 } })
})

import { afterAll, expect, test } from "vitest"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

const signUp = (password: string, overrides: object = {}) =>
  site.call("POST", "/api/v1/auth/signup", {
    body: { ...sellerForm, email: "ana.souza@loja.example", ...overrides, password, passwordConfirm: password },
  })

test.each([
  ...["12345678", "password", "Password1", "senha123", "SENHA123", "aaaaaaaa", "        ", "!!!!!!!!", "iloveyou"],
  ...["qwertyui", "abcdefgh", "87654321", "12341234", "abcabcabc", "P@ssw0rd", "mudar123", "flamengo", "1q2w3e4r"],
])("the common password '%s' is refused with a text of its own", async (password) => {
  const reply = await signUp(password)
  expect(reply.status).toBe(422)
  expect(reply.json.message).toContain("entre as mais usadas")
  expect(reply.json.errors[0].path).toBe("password")
})

test.each([
  "ana.souza@loja.example",
  "Ana Souza",
  "anasouza",
  "AnaSouza2024!",
  "ana.souza",
  "Tilinta1",
  "tilinta-2026",
  "souza12345",
  "Cobrança2026",
  "recebimento",
  "Vendas!!2025",
])("'%s', a name that a guesser knows, is refused", async (password) => {
  const reply = await signUp(password)
  expect(reply.status).toBe(422)
  expect(reply.json.message).toContain("o nome da plataforma")
})

test("other passwords of eight characters are fine, and the rule holds for changes and resets", async () => {
  for (const [at, password] of ["senha-da-ana", "k7#qPz!m", "cavalo bateria grampo"].entries()) {
    expect((await signUp(password, { email: `v${at}@loja.example` })).status).toBe(201)
  }
  const login = { email: "v0@loja.example", password: "senha-da-ana" }
  const { token } = (await site.call("POST", "/api/v1/auth/login", { body: login })).json
  const body = { passwordCurrent: "senha-da-ana", password: "12345678", passwordConfirm: "12345678" }
  const changed = await site.call("PATCH", "/api/v1/auth/updateMyPassword", { token, body })
  expect(changed.status).toBe(422)
  expect(changed.json.message).toContain("entre as mais usadas")
  expect((await site.call("POST", "/api/v1/auth/login", { body: login })).status).toBe(200)
})

test("the twenty-first session ends the oldest, also when many log in at once", async () => {
  const first = (await signUp("senha-da-bia", { email: "bia@loja.example" })).json.token
  const login = { body: { email: "bia@loja.example", password: "senha-da-bia" } }
  const me = async (token: string) => (await site.call("GET", "/api/v1/users/me", { token })).status
  site.clock.pass(1)
  for (let n = 0; n < 19; n += 1) await site.call("POST", "/api/v1/auth/login", login)
  expect(await me(first)).toBe(200)
  site.clock.pass(1)
  const newest = await Promise.all(Array.from({ length: 6 }, () => site.call("POST", "/api/v1/auth/login", login)))
  expect(await me(first)).toBe(401)
  expect(await Promise.all(newest.map(({ json }) => me(json.token)))).toEqual(newest.map(() => 200))
  const { count } = await site.db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .where("users.email_key", "=", "bia@loja.example")
    .select((row) => row.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow()
  expect(count).toBe(20)
})

import { afterAll, describe, expect, test } from "vitest"
import { tidyUp } from "#start/retention"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

interface Overrides {
  key?: string
  from?: string
  form?: object
}

const signUp = (email: string, { key, from, form }: Overrides = {}) =>
  site.call("POST", "/api/v1/auth/signup", {
    body: { ...sellerForm, email, ...form },
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
    ...(from !== undefined && { from }),
  })
const accountsOf = async (email: string) =>
  (await site.db.selectFrom("users").select("id").where("email_key", "=", email).execute()).length
const me = (token: string) => site.call("GET", "/api/v1/users/me", { token })

describe("W19: a signup with an Idempotency-Key", () => {
  test("sent again is the same account, and its session works", async () => {
    const first = await signUp("bia@loja.example", { key: "k-1" })
    const again = await signUp("bia@loja.example", { key: "k-1", from: "10.0.0.9" })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.json.data).toEqual(first.json.data)
    for (const { json } of [first, again]) expect((await me(json.token)).status).toBe(200)
    expect(await accountsOf("bia@loja.example")).toBe(1)
  })

  test("sent ten times at once is one account", async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => signUp("caio@loja.example", { key: "k-1" })))
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.json.data.user._id}`)).size).toBe(1)
    expect(await accountsOf("caio@loja.example")).toBe(1)
  })

  test.each([
    ["another name", { name: "Outra" }],
    ["another CPF", { cpf: "11144477735" }],
    ["another password", { password: "outra-senha", passwordConfirm: "outra-senha" }],
  ])("and %s is refused, and opens no session", async (name, form) => {
    const email = `${name.replace(" ", "-")}@loja.example`
    await signUp(email, { key: "k-1" })
    const reply = await signUp(email, { key: "k-1", form })
    expect([reply.status, reply.json.code, reply.json.token]).toEqual([422, "idempotency_key_reused", undefined])
  })

  test("of another person is another key, and a taken e-mail stays taken", async () => {
    expect((await signUp("davi@loja.example", { key: "k-2" })).status).toBe(201)
    expect((await signUp("edu@loja.example", { key: "k-2" })).status).toBe(201)
    expect((await signUp("davi@loja.example", { key: "k-3" })).json.code).toBe("email_taken")
    expect((await signUp("davi@loja.example")).json.code).toBe("email_taken")
  })

  test("keeps nothing from which the password could be guessed", async () => {
    const elsewhere = await openTestApp()
    try {
      const headers = { "idempotency-key": "k-9" }
      const hashes = await Promise.all(
        [site, elsewhere].map(async ({ call, db }, index) => {
          const password = `senha-numero-${index}`
          const body = { ...sellerForm, email: "fabi@loja.example", password, passwordConfirm: password }
          expect((await call("POST", "/api/v1/auth/signup", { body, headers })).status).toBe(201)
          const row = db.selectFrom("idempotency_keys").select("request_hash").where("key", "=", "k-9")
          return (await row.executeTakeFirstOrThrow()).request_hash
        }),
      )
      expect(hashes[0]).toEqual(hashes[1])
    } finally {
      await elsewhere.close()
    }
  })
})

describe("A15: signups from one address", () => {
  const attempts = (address: string, count: number) =>
    site.db
      .insertInto("signup_attempts")
      .values(Array.from({ length: count }, () => ({ address, attempted_at: site.clock.now() })))
      .execute()

  test("two hundred an hour, then 429 until the oldest is an hour old; another address goes on", async () => {
    await attempts("10.9.0.1", 199)
    expect((await signUp("um@loja.example", { from: "10.9.0.1" })).status).toBe(201)
    const refused = await signUp("dois@loja.example", { from: "10.9.0.1" })
    expect([refused.status, refused.json.code]).toEqual([429, "too_many_requests"])
    expect(refused.headers["retry-after"]).toBe("3600")
    expect((await signUp("dois@loja.example", { from: "10.9.0.2" })).status).toBe(201)
    site.clock.pass(3600)
    expect((await signUp("tres@loja.example", { from: "10.9.0.1" })).status).toBe(201)
  })

  test("sent all at once are counted like signups sent one by one, taken e-mails too", async () => {
    await signUp("existe@loja.example")
    await attempts("10.9.0.3", 195)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => signUp("existe@loja.example", { from: "10.9.0.3" })),
    )
    const statuses = replies.map((reply) => reply.status)
    expect([
      statuses.filter((status) => status === 409).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([5, 15])
  })

  test("what is no form at all is not counted, and what is an hour old is forgotten", async () => {
    const rows = async () => (await site.db.selectFrom("signup_attempts").select("id").execute()).length
    const before = await rows()
    await signUp("x", { from: "10.9.0.4" })
    expect(await rows()).toBe(before)
    site.clock.pass(3601)
    await tidyUp(site)
    expect(await rows()).toBe(0)
  })
})

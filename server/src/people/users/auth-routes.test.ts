import { afterAll, describe, expect, test } from "vitest"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

const signUp = (form: object) => site.call("POST", "/api/v1/auth/signup", { body: form })
const logIn = (email: string, password: string, from?: string) =>
  site.call("POST", "/api/v1/auth/login", { body: { email, password }, ...(from !== undefined && { from }) })

describe("signup", () => {
  test("registers an active seller and opens a session", async () => {
    const reply = await signUp({ ...sellerForm, email: "  Ana@Loja.Example " })
    expect(reply.status).toBe(201)
    expect(reply.json).toMatchObject({
      status: "success",
      data: {
        user: {
          name: "Ana Souza",
          email: "Ana@Loja.Example",
          cpf: "52998224725",
          role: "user",
          active: true,
          balance: 0,
          address: { state: "PE" },
          bankAccount: { pixKey: "" },
        },
      },
    })
    const me = await site.call("GET", "/api/v1/users/me", { token: reply.json.token })
    expect(me.json.data.user).toEqual(reply.json.data.user)
  })

  test("neither the password nor its hash is stored in the clear or sent", async () => {
    const reply = await signUp({ ...sellerForm, email: "sem-senha@loja.example" })
    expect(reply.text).not.toContain("senha-da-ana")
    expect(reply.text).not.toContain("argon2")
    const row = await site.db
      .selectFrom("users")
      .selectAll()
      .where("email_key", "=", "sem-senha@loja.example")
      .executeTakeFirstOrThrow()
    expect(row.password_hash).toMatch(/^\$argon2id\$/)
    const session = await site.db
      .selectFrom("sessions")
      .selectAll()
      .where("user_id", "=", row.id)
      .executeTakeFirstOrThrow()
    expect(session.token_hash.toString("utf8")).not.toContain(reply.json.token)
  })

  test("an e-mail is taken whatever its case", async () => {
    await signUp({ ...sellerForm, email: "maria@loja.example" })
    const reply = await signUp({ ...sellerForm, email: "MARIA@loja.example" })
    expect(reply.status).toBe(409)
    expect(reply.json).toEqual({
      status: "fail",
      message: "Este e-mail já está cadastrado.",
      code: "email_taken",
      errors: [{ path: "email", message: "Este e-mail já está cadastrado." }],
    })
  })

  test("where real money moves a CPF's check digits must be right, in the sandbox any eleven digits do", async () => {
    const form = { ...sellerForm, cpf: "12345678900" }
    const reply = await signUp({ ...form, email: "digitos@loja.example" })
    expect(reply.status).toBe(422)
    expect(reply.json).toMatchObject({ message: "CPF inválido", errors: [{ path: "cpf", message: "CPF inválido" }] })

    const sandbox = await openTestApp({ simulatorUrl: "http://127.0.0.1:9" })
    try {
      const body = { ...form, email: "digitos@loja.example" }
      expect((await sandbox.call("POST", "/api/v1/auth/signup", { body })).status).toBe(201)
    } finally {
      await sandbox.close()
    }
  })

  test("of many concurrent signups with one e-mail exactly one succeeds", async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => signUp({ ...sellerForm, email: "corrida@loja.example" })),
    )
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409, 409, 409, 409])
  })

  test.each([
    ["name", { name: " " }, "Preencha todos os campos obrigatórios"],
    ["email", { email: "" }, "Preencha todos os campos obrigatórios"],
    ["email", { email: "ana@" }, "E-mail inválido"],
    ["password", { password: "1234567", passwordConfirm: "1234567" }, "A senha deve ter pelo menos 8 caracteres"],
    ["passwordConfirm", { passwordConfirm: "outra-senha" }, "As senhas não coincidem"],
    ["cpf", { cpf: "123" }, "CPF deve conter 11 dígitos numéricos"],
    ["address.state", { address: { state: "PER" } }, "O estado deve ter 2 letras."],
    ["address.state", { address: { state: "XX" } }, "Informe a sigla de um estado, como SP."],
    ["address.zipCode", { address: { zipCode: "0131010" } }, "O CEP deve ter 8 dígitos."],
    ["email", { email: "joão@exemplo.com" }, "E-mail inválido"],
    ["email", { email: "ana@localhost" }, "E-mail inválido"],
    ["phone", { phone: "20987654321" }, "Informe o telefone com DDD."],
    ["phone", { phone: "1187654321" }, "Informe o telefone com DDD."],
    ["cpf", { cpf: "529.982.247-2x" }, "CPF deve conter 11 dígitos numéricos"],
  ])("a broken rule of %s is reported with its message", async (path, overrides, message) => {
    const reply = await signUp({ ...sellerForm, email: "regra@loja.example", ...overrides })
    expect(reply.status).toBe(422)
    expect(reply.json).toMatchObject({ status: "fail", code: "validation_failed", message })
    expect(reply.json.errors).toContainEqual({ path, message })
  })

  test("what is typed is stored in one form, and opens the session however it is typed", async () => {
    const form = { ...sellerForm, name: "Joa\u0303o", email: "joao@Ac\u0327ai\u0301.com.br", cpf: "529.982.247-25" }
    const address = { ...sellerForm.address, state: "são paulo", zipCode: "01310 100" }
    const reply = await signUp({ ...form, phone: "+55 (11) 98765-4321", address })
    expect(reply.status).toBe(201)
    expect(reply.json.data.user).toMatchObject({
      ...{ name: "João", email: "joao@xn--aa-4iaz.com.br", cpf: "52998224725", phone: "11987654321" },
      address: { state: "SP", zipCode: "01310100" },
    })
    for (const email of ["joao@açaí.com.br", "JOAO@xn--aa-4iaz.com.br"]) {
      expect((await logIn(email, sellerForm.password)).status).toBe(200)
    }
  })

  test("A01: a signup can't set role, balance or id", async () => {
    const reply = await site.call("POST", "/api/v1/auth/signup", {
      rawBody: JSON.stringify({
        ...sellerForm,
        email: "esperto@loja.example",
        role: "admin",
        active: false,
        balance: 1_000_000,
        _id: "00000000-0000-7000-8000-000000000000",
      }).replace("{", '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}},'),
    })
    expect(reply.status).toBe(201)
    expect(reply.json.data.user).toMatchObject({ role: "user", active: true, balance: 0 })
    expect(reply.json.data.user._id).not.toMatch(/^00000000-/)
    expect(({} as { role?: string }).role).toBeUndefined()
  })
})

describe("login", () => {
  test("opens a session, whatever the case of the e-mail", async () => {
    await signUp({ ...sellerForm, email: "login@loja.example" })
    const reply = await logIn(" Login@Loja.example", "senha-da-ana")
    expect(reply.status).toBe(200)
    expect(reply.json.token).toMatch(/^[\w-]{43}$/)
    expect(reply.json.data.user.email).toBe("login@loja.example")
  })

  test("a wrong password and an unknown e-mail are indistinguishable", async () => {
    await signUp({ ...sellerForm, email: "existe@loja.example" })
    const wrong = await logIn("existe@loja.example", "senha-errada", "10.0.0.1")
    const unknown = await logIn("ninguem@loja.example", "senha-errada", "10.0.0.1")
    expect(wrong.status).toBe(401)
    expect(wrong.json).toEqual({ status: "fail", message: "E-mail ou senha incorretos.", code: "wrong_credentials" })
    expect(unknown.json).toEqual(wrong.json)
  })

  test("the inactive state is revealed only after the right password", async () => {
    await signUp({ ...sellerForm, email: "inativa@loja.example" })
    await site.db.updateTable("users").set({ active: false }).where("email_key", "=", "inativa@loja.example").execute()
    expect((await logIn("inativa@loja.example", "senha-errada", "10.0.0.2")).status).toBe(401)
    const reply = await logIn("inativa@loja.example", "senha-da-ana", "10.0.0.2")
    expect(reply.status).toBe(403)
    expect(reply.json.message).toBe("Conta desativada. Entre em contato com o suporte.")
  })

  test("an empty form is refused without hashing", async () => {
    const reply = await site.call("POST", "/api/v1/auth/login", { body: {} })
    expect(reply.status).toBe(422)
    expect(reply.json.message).toBe("Preencha todos os campos obrigatórios")
  })
})

describe("the limit on wrong passwords", () => {
  test("after ten, even the right one waits; another address gets in, and so does this one 15 minutes later", async () => {
    const email = "alvo@loja.example"
    await signUp({ ...sellerForm, email })
    for (let i = 0; i < 10; i++) expect((await logIn(email, "chute", "10.1.0.1")).status).toBe(401)

    const refused = await logIn(email, "senha-da-ana", "10.1.0.1")
    expect(refused.status).toBe(429)
    expect(refused.json.code).toBe("too_many_requests")
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0)
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(900)
    expect((await logIn(email, "senha-da-ana", "10.1.0.2")).status).toBe(200)

    site.clock.pass(Number(refused.headers["retry-after"]))
    expect((await logIn(email, "senha-da-ana", "10.1.0.1")).status).toBe(200)
  })

  test("guesses sent all at once count like guesses sent one by one", async () => {
    const email = "rajada@loja.example"
    await signUp({ ...sellerForm, email })
    const replies = await Promise.all(Array.from({ length: 25 }, () => logIn(email, "chute", "10.2.0.1")))
    expect(replies.filter((reply) => reply.status === 401)).toHaveLength(10)
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(15)
  })

  test("right passwords are never counted", async () => {
    const email = "escritorio@loja.example"
    await signUp({ ...sellerForm, email })
    for (let i = 0; i < 12; i++) expect((await logIn(email, "senha-da-ana", "10.3.0.1")).status).toBe(200)
  })

  test("a hundred from one address close it for an hour, whatever the accounts", async () => {
    const failed_at = site.clock.now()
    await site.db
      .insertInto("failed_logins")
      .values(Array.from({ length: 100 }, (_, i) => ({ account_key: `x${i}@x`, address: "10.4.0.1", failed_at })))
      .execute()
    const refused = await logIn("qualquer@loja.example", "chute", "10.4.0.1")
    expect(refused.status).toBe(429)
    expect(Number(refused.headers["retry-after"])).toBe(3600)
    expect((await logIn("qualquer@loja.example", "chute", "10.4.0.2")).status).toBe(401)
  })

  test("A10: an address in a header is not believed without a proxy before us", async () => {
    const failed_at = site.clock.now()
    await site.db
      .insertInto("failed_logins")
      .values(Array.from({ length: 100 }, () => ({ account_key: "x@x", address: "10.5.0.1", failed_at })))
      .execute()
    const reply = await site.call("POST", "/api/v1/auth/login", {
      body: { email: "qualquer@loja.example", password: "chute" },
      from: "10.5.0.1",
      headers: { "x-forwarded-for": "203.0.113.7" },
    })
    expect(reply.status).toBe(429)
  })

  test("H02: a trusted proxy names the client's address, and nothing beyond it is believed", async () => {
    const behindProxy = await openTestApp({ trustedProxies: ["loopback"] })
    try {
      const guess = (forwarded: string) =>
        behindProxy.call("POST", "/api/v1/auth/login", {
          body: { email: "alvo@loja.example", password: "chute" },
          from: "127.0.0.1",
          headers: { "x-forwarded-for": forwarded },
        })
      for (let i = 0; i < 10; i++) expect((await guess(`198.51.100.${i}, 203.0.113.7`)).status).toBe(401)
      expect((await guess("198.51.100.99, 203.0.113.7")).status).toBe(429)
      expect((await guess("203.0.113.8")).status).toBe(401)
    } finally {
      await behindProxy.close()
    }
  })

  test("a client is one client, whatever port its proxy writes, and text that is no address is stored nowhere", async () => {
    const behindProxy = await openTestApp({ trustedProxies: ["loopback"] })
    try {
      const logIn = (email: string, forwarded: string, password = "chute") =>
        behindProxy.call("POST", "/api/v1/auth/login", {
          ...{ body: { email, password }, from: "127.0.0.1", headers: { "x-forwarded-for": forwarded } },
        })
      for (const [at, client] of ["203.0.113.7", "[2001:db8::9]", "<b>texto</b>"].entries()) {
        const email = `alvo-${at}@loja.example`
        for (let i = 0; i < 10; i++) expect((await logIn(email, `${client}:${1_000 + i}`)).status).toBe(401)
        expect([client, (await logIn(email, `${client}:2000`)).status]).toEqual([client, 429])
      }
      await behindProxy.signUp("dona@loja.example")
      for (const forwarded of ["203.0.113.70:4000", "<b>texto</b>"]) {
        expect((await logIn("dona@loja.example", forwarded, "senha-da-ana")).status).toBe(200)
      }
      const sessions = await behindProxy.db.selectFrom("sessions").select("address").orderBy("created_at").execute()
      expect(sessions.map(({ address }) => address)).toEqual(expect.arrayContaining(["203.0.113.70", "127.0.0.1"]))
      expect(JSON.stringify(sessions)).not.toContain("texto")
    } finally {
      await behindProxy.close()
    }
  })
})

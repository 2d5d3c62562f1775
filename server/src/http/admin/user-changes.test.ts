import { afterAll, describe, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { auditOf, newPerson } from "../../../test-support/admins.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

let number = 0

const site = await openTestApp()
const admin = await newPerson(site, "chefe@tilinta.example", "admin")

afterAll(() => site.close())

const url = "/api/v1/admin/users"
const create = (body: unknown, headers: Record<string, string> = {}) =>
  site.call("POST", url, { token: admin.token, body, headers, from: "10.1.1.1" })
const change = (id: string, body: unknown, token = admin.token) =>
  site.call("PATCH", `${url}/${id}`, { token, body, from: "10.1.1.1" })
const newSeller = async () => newPerson(site, `vendedor${++number}@loja.example`)
const me = (token: string) => site.call("GET", "/api/v1/users/me", { token })
const rowOf = (id: string) => site.db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirstOrThrow()

describe("access", () => {
  test.for([
    ["POST", url],
    ["PATCH", `${url}/${newId()}`],
    ["DELETE", `${url}/${newId()}`],
  ] as const)("%s %s: nobody without a session, no seller", async ([method, path]) => {
    const { token } = await newSeller()
    expect((await site.call(method, path, { body: {} })).status).toBe(401)
    expect((await site.call(method, path, { body: {}, token })).status).toBe(403)
  })

  test.for(["PATCH", "DELETE"] as const)("%s of somebody who isn't there: 404", async (method) => {
    for (const id of ["nada", newId(), "%27"]) {
      const reply = await site.call(method, `${url}/${id}`, { token: admin.token, body: {} })
      expect([reply.status, reply.json.message]).toEqual([404, "Usuário não encontrado."])
    }
  })
})

describe("creating", () => {
  test("creates a user without profile and password, and audits it", async () => {
    const reply = await create({ name: " Caio Reis ", email: " Caio@Loja.example ", role: "user", active: true })
    expect(reply.status).toBe(201)
    const { user } = reply.json.data
    expect(user).toMatchObject({
      name: "Caio Reis",
      email: "Caio@Loja.example",
      cpf: "",
      phone: "",
      role: "user",
      active: true,
      balance: 0,
      address: { street: "", state: "" },
      bankAccount: { pixKey: "" },
    })
    expect((await rowOf(user._id)).password_hash).toBeNull()
    const [created, invited, ...more] = await auditOf(site, user._id)
    expect([invited?.action, more]).toEqual(["user.invited", []])
    expect([created]).toEqual([
      {
        action: "user.created",
        actor_id: admin.id,
        actor_address: "10.1.1.1",
        before: null,
        after: expect.objectContaining({ name: "Caio Reis", email: "Caio@Loja.example", role: "user", active: true }),
      },
    ])
  })

  test("role and state may be left out: an active user", async () => {
    const { user } = (await create({ name: "Sem Nada", email: "sem-nada@loja.example" })).json.data
    expect(user).toMatchObject({ role: "user", active: true })
  })

  test("A01: unknown fields are never stored", async () => {
    const rawBody = JSON.stringify({
      name: "Extra",
      email: "extra@loja.example",
      role: "user",
      active: true,
      _id: "00000000-0000-7000-8000-000000000000",
      balance: 1_000_000,
      password: "senha-escolhida",
      passwordHash: "x",
      cpf: "52998224725",
      createdAt: "2001-01-01T00:00:00Z",
    }).replace("{", '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}},')
    const reply = await site.call("POST", url, { token: admin.token, rawBody })
    expect(reply.status).toBe(201)
    const { user } = reply.json.data
    expect(user).toMatchObject({ role: "user", balance: 0, cpf: "", createdAt: site.clock.now().toISOString() })
    expect(user._id).not.toMatch(/^00000000-/)
    expect((await rowOf(user._id)).password_hash).toBeNull()
  })

  test.for([
    [{ name: " " }, 422, "name", "Preencha todos os campos obrigatórios"],
    [{ email: "" }, 422, "email", "Preencha todos os campos obrigatórios"],
    [{ email: "caio@" }, 422, "email", "E-mail inválido"],
    [{ name: "x".repeat(121) }, 422, "name", "Use no máximo 120 caracteres."],
    [{ role: "root" }, 400, "role", "Perfil desconhecido."],
    [{ active: "true" }, 400, "active", "Deve ser verdadeiro ou falso."],
    [{ name: { $gt: "" } }, 400, "name", "Deve ser um texto."],
  ] as const)("a broken rule is reported: %j", async ([overrides, status, path, message]) => {
    const reply = await create({ name: "Caio", email: "regra@loja.example", ...overrides })
    expect([reply.status, reply.json.errors]).toEqual([status, [{ path, message }]])
  })

  test("an e-mail is taken whatever its case, and of ten at once one is made", async () => {
    const seller = await newSeller()
    const taken = await create({ name: "Outro", email: seller.email.toUpperCase() })
    expect([taken.status, taken.json.code]).toEqual([409, "email_taken"])
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => create({ name: "Um", email: "corrida@loja.example" })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  })

  test("the same Idempotency-Key makes one user and one invitation, also ten times at once", async () => {
    const body = { name: "Chave", email: "chave@loja.example", role: "user", active: true }
    const key = { "idempotency-key": "criar-1" }
    const replies = await Promise.all(Array.from({ length: 10 }, () => create(body, key)))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201))
    expect(new Set(replies.map(({ json }) => json.data.user._id)).size).toBe(1)
    const other = await create({ ...body, name: "Outra" }, key)
    expect([other.status, other.json.code]).toEqual([422, "idempotency_key_reused"])
    expect(await deliverMails(site, body.email)).toHaveLength(1)
  })
})

describe("changing", () => {
  test("what is left out stays; the change is recorded with what differs, and nothing else", async () => {
    const seller = await newSeller()
    const reply = await change(seller.id, { name: " Nova Ana " })
    expect(reply.status).toBe(200)
    expect(reply.json.data.user).toMatchObject({ name: "Nova Ana", email: seller.email, role: "user", active: true })
    expect((await change(seller.id, { name: "Nova Ana" })).status).toBe(200)
    expect((await change(seller.id, {})).status).toBe(200)
    expect(await auditOf(site, seller.id)).toEqual([
      {
        action: "user.updated",
        actor_id: admin.id,
        actor_address: "10.1.1.1",
        before: { name: "Ana Souza" },
        after: { name: "Nova Ana" },
      },
    ])
  })

  test("A02: balance, password, CPF and the rest are not an admin's to set", async () => {
    const seller = await newSeller()
    const before = await rowOf(seller.id)
    const rawBody = JSON.stringify({ balance: 1e6, password: "x", passwordHash: "x", cpf: "1", phone: "2", _id: "3" })
    const reply = await site.call("PATCH", `${url}/${seller.id}`, { token: admin.token, rawBody })
    expect(reply.status).toBe(200)
    expect(await rowOf(seller.id)).toEqual(before)
  })

  test.for([
    [{ name: "" }, 422],
    [{ email: "x@" }, 422],
    [{ role: "root" }, 400],
    [{ active: 1 }, 400],
    [{ name: null }, 400],
    [{ feePercentage: -1 }, 422],
    [{ feePercentage: 100.01 }, 422],
    [{ feePercentage: 1.234 }, 422],
    [{ feePercentage: "5" }, 400],
    [[], 400],
  ] as const)("%j is refused and changes nothing", async ([body, status]) => {
    const seller = await newSeller()
    const before = await rowOf(seller.id)
    expect((await change(seller.id, body)).status).toBe(status)
    expect(await rowOf(seller.id)).toEqual(before)
  })

  test("another user's e-mail is refused whatever its case; of two concurrent changes to one e-mail one succeeds", async () => {
    const [one, two] = [await newSeller(), await newSeller()]
    const taken = await change(one.id, { email: two.email.toUpperCase() })
    expect([taken.status, taken.json.errors]).toEqual([
      409,
      [{ path: "email", message: "Este e-mail já está cadastrado." }],
    ])
    const email = "disputado@loja.example"
    const replies = await Promise.all([change(one.id, { email }), change(two.id, { email })])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test("a changed e-mail ends the links of the old one, which gets a notice", async () => {
    const seller = await newSeller()
    await site.call("POST", "/api/v1/auth/forgotPassword", { body: { email: seller.email } })
    const [mail] = await deliverMails(site, seller.email)
    const link = /reset-password\/([\w-]+)/.exec(mail?.text ?? "")?.[1]
    const email = "Mudou@loja.example"
    await site.db.updateTable("users").set({ email_state: "confirmed" }).where("id", "=", seller.id).execute()
    expect((await change(seller.id, { email })).json.data.user).toMatchObject({ email, emailState: "unasked" })
    expect((await rowOf(seller.id)).email_state).toBe("unasked")
    const [told] = await deliverMails(site, seller.email)
    expect(told?.subject).toBe("O e-mail da sua conta foi alterado")
    expect(told?.text).toContain("/not-me/")
    expect(`${told?.text}${told?.html}`).not.toContain(email)
    expect(await deliverMails(site, email)).toEqual([])
    const body = { password: "senha-nova-1", passwordConfirm: "senha-nova-1" }
    expect((await site.call("PATCH", `/api/v1/auth/resetPassword/${link}`, { body })).status).toBe(400)
    const logIn = (address: string) =>
      site.call("POST", "/api/v1/auth/login", { body: { email: address, password: "senha-da-ana" } })
    expect([(await logIn(seller.email)).status, (await logIn(email)).status]).toEqual([401, 200])
    const addresses = await site.db.selectFrom("mails").select("to_address").where("user_id", "=", seller.id).execute()
    expect(addresses.every(({ to_address }) => to_address === null)).toBe(true)
  })

  test("a change of the e-mail's case sends no notice", async () => {
    const seller = await newSeller()
    await change(seller.id, { email: seller.email.toUpperCase() })
    expect((await rowOf(seller.id)).email).toBe(seller.email.toUpperCase())
    expect(await deliverMails(site, seller.email)).toEqual([])
  })

  test("another role holds from the next call on, and shortens sessions to what the role allows", async () => {
    const seller = await newSeller()
    const adminList = () => site.call("GET", url, { token: seller.token })
    expect((await adminList()).status).toBe(403)
    await change(seller.id, { role: "admin" })
    expect((await adminList()).status).toBe(200)
    expect((await me(seller.token)).json.data.user.role).toBe("admin")
    const session = await site.db
      .selectFrom("sessions")
      .select("expires_at")
      .where("user_id", "=", seller.id)
      .executeTakeFirstOrThrow()
    expect(session.expires_at.getTime()).toBe(site.clock.now().getTime() + 86_400_000)
    await change(seller.id, { role: "user" })
    expect((await adminList()).status).toBe(403)
    expect(await auditOf(site, seller.id)).toMatchObject([
      { before: { role: "user" }, after: { role: "admin" } },
      { before: { role: "admin" }, after: { role: "user" } },
    ])
  })
})

describe("a note", () => {
  const noteOf = async (id: string) => (await site.call("GET", `${url}/${id}`, { token: admin.token })).json.data.note

  test("is read by administrators alone, and the audit tells that it changed without its words", async () => {
    const seller = await newSeller()
    expect(await noteOf(seller.id)).toBe("")
    const [first, second] = ["  Pediu limite maior\nem outubro.  ", "Falou com Bia em 3/11."]
    expect((await change(seller.id, { note: first })).status).toBe(200)
    expect(await noteOf(seller.id)).toBe("Pediu limite maior\nem outubro.")
    const reply = await change(seller.id, { note: second })
    for (const { text } of [reply, await me(seller.token)]) expect(text).not.toContain("Bia")
    await change(seller.id, { note: "" })
    expect(await noteOf(seller.id)).toBe("")
    const noted = (await auditOf(site, seller.id)).filter(({ after }) => "note" in (after as object))
    expect(noted.map(({ before, after }) => [before, after])).toEqual([
      [{ note: "" }, { note: "Alterada" }],
      [{ note: "•••" }, { note: "Alterada" }],
      [{ note: "•••" }, { note: "" }],
    ])
    expect(JSON.stringify(await auditOf(site, seller.id))).not.toMatch(/limite|Bia/)
  })

  test("is no change of the account: nobody is told and no withdrawal waits for it", async () => {
    const seller = await newSeller()
    await change(seller.id, { note: "Combinado por telefone." })
    expect((await rowOf(seller.id)).recovered_at).toBeNull()
    expect(await deliverMails(site, seller.email)).toEqual([])
    const { notices } = (await site.call("GET", "/api/v1/users/me/notices", { token: seller.token })).json.data
    expect(notices).toEqual([])
    expect((await change(seller.id, { note: "x".repeat(2_001) })).status).toBe(422)
    const own = await site.call("PATCH", "/api/v1/users/updateMe", { token: seller.token, body: { note: "Minha" } })
    expect(own.status).toBe(200)
    expect(await noteOf(seller.id)).toBe("Combinado por telefone.")
  })
})

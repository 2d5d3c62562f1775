import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"
import { defaultSettings } from "./defaults.ts"

let site: TestApp
let admin: string
let seller: string

beforeAll(async () => {
  site = await openTestApp()
  admin = await signUpAs("admin", "chefe@tilinta.example")
  seller = await site.signUp("ana@loja.example")
})

afterAll(async () => {
  await site.close()
})

async function signUpAs(role: "admin", email: string): Promise<string> {
  const token = await site.signUp(email)
  await site.db.updateTable("users").set({ role }).where("email", "=", email).execute()
  return token
}

const create = (body: object) => site.call("POST", "/api/v1/settings", { body, token: admin })
const change = (key: string, body: object) => site.call("PATCH", `/api/v1/settings/${key}`, { body, token: admin })
const fee = async () =>
  (await site.call("GET", "/api/v1/public/settings/TRANSACTION_FEE_PERCENTAGE")).json.data.setting.value

const note = { key: "note", value: "oi", description: "Uma nota", type: "string", category: "general" }

describe("access", () => {
  test.for([
    ["GET", "/api/v1/settings"],
    ["POST", "/api/v1/settings"],
    ["POST", "/api/v1/settings/initialize"],
    ["PATCH", "/api/v1/settings/TRANSACTION_FEE_PERCENTAGE"],
  ] as const)(
    "%s %s: nobody without a session, no seller, not even with another case of the path",
    async ([method, url]) => {
      expect((await site.call(method, url)).status).toBe(401)
      expect((await site.call(method, url, { token: seller })).status).toBe(403)
      expect((await site.call(method, url.toUpperCase(), { token: seller })).status).toBe(404)
    },
  )

  test("an admin who lost the role is refused at the next call", async () => {
    const token = await signUpAs("admin", "breve@tilinta.example")
    expect((await site.call("GET", "/api/v1/settings", { token })).status).toBe(200)
    await site.db.updateTable("users").set({ role: "user" }).where("email", "=", "breve@tilinta.example").execute()
    expect((await site.call("GET", "/api/v1/settings", { token })).status).toBe(403)
  })
})

test("a new setting is listed with who made it; its key is upper case", async () => {
  const reply = await create(note)
  expect(reply.status).toBe(201)
  expect(reply.json.data.setting).toMatchObject({ key: "NOTE", value: "oi", type: "string", category: "general" })
  const { settings } = (await site.call("GET", "/api/v1/settings", { token: admin })).json.data
  const stored = settings.find((setting: { key: string }) => setting.key === "NOTE")
  expect(stored).toMatchObject({ description: "Uma nota", updatedBy: { email: "chefe@tilinta.example" } })
})

test("Z13: a key that exists in another case is a conflict, also for ten at once", async () => {
  const replies = await Promise.all(Array.from({ length: 10 }, () => create({ ...note, key: "Uma_Vez" })))
  expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
  expect(replies.filter((reply) => reply.status === 409)).toHaveLength(9)
  expect(replies.find((reply) => reply.status === 409)?.json.code).toBe("setting_exists")
})

test.for([
  [{ key: "" }, 422, "A chave é obrigatória."],
  [{ key: "__proto__" }, 422, "Use letras, números e _ na chave, começando por uma letra."],
  [{ key: "a".repeat(10_000) }, 422, "Use no máximo 100 caracteres."],
  [{ type: "number", value: "12" }, 422, "O valor deve ser um número."],
  [{ type: "boolean", value: "true" }, 422, "O valor deve ser verdadeiro ou falso."],
  [{ type: "string", value: 12 }, 422, "O valor deve ser um texto."],
  [{ value: { a: 1 } }, 400, "Informe um número, um texto ou verdadeiro/falso."],
  [{ type: "date" }, 400, "Tipo desconhecido."],
  [{ category: "secret" }, 400, "Categoria desconhecida."],
] as const)("%j is refused with %d: %s", async ([wrong, status, message]) => {
  const reply = await create({ ...note, key: "OTHER", ...wrong })
  expect([reply.status, reply.json.message]).toEqual([status, message])
})

describe("W19: a new setting with an Idempotency-Key", () => {
  const createWith = (key: string, body: object, token = admin) =>
    site.call("POST", "/api/v1/settings", { body: { ...note, ...body }, token, headers: { "idempotency-key": key } })

  test("sent ten times at once and once more is one setting, and each gets its answer", async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => createWith("k-1", { key: "AGAIN" })))
    replies.push(await createWith("k-1", { key: "AGAIN" }))
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(201)
    const records = await site.db.selectFrom("audit_records").select("id").where("entity_id", "=", "AGAIN").execute()
    expect(records).toHaveLength(1)
  })

  test("with another body is refused; another admin's same key is another key", async () => {
    await createWith("k-2", { key: "MINE" })
    expect((await createWith("k-2", { key: "MINE", value: "outro" })).json.code).toBe("idempotency_key_reused")
    const other = await signUpAs("admin", "outra@tilinta.example")
    expect((await createWith("k-2", { key: "THEIRS" }, other)).status).toBe(201)
    expect((await createWith("k-2", { key: "MINE" }, other)).json.code).toBe("idempotency_key_reused")
  })
})

describe("the settings that do something", () => {
  const known = Object.keys(defaultSettings).length

  test("initialising never overwrites: 20 at once create each once, and a changed fee stays", async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => site.call("POST", "/api/v1/settings/initialize", { token: admin })),
    )
    const created = replies.map((reply) => reply.json.data.created as number)
    expect(created.reduce((sum, count) => sum + count, 0)).toBe(known)
    await change("TRANSACTION_FEE_PERCENTAGE", { value: 7 })
    const again = await site.call("POST", "/api/v1/settings/initialize", { token: admin })
    expect(again.json.data).toEqual({ created: 0, updated: known })
    expect(await fee()).toBe(7)
  })

  test("a changed value holds from the next request on, and 0 is a valid fee", async () => {
    expect((await change("transaction_fee_percentage", { value: 0 })).status).toBe(200)
    expect(await fee()).toBe(0)
  })

  test.for([
    [
      "TRANSACTION_FEE_PERCENTAGE",
      { value: 101 },
      "A taxa deve ficar entre 0 e 100, com no máximo duas casas decimais.",
    ],
    [
      "TRANSACTION_FEE_PERCENTAGE",
      { value: -1 },
      "A taxa deve ficar entre 0 e 100, com no máximo duas casas decimais.",
    ],
    ["TRANSACTION_FEE_PERCENTAGE", { value: "15" }, "O valor deve ser um número."],
    ["TRANSACTION_FEE_PERCENTAGE", { value: "x", type: "string" }, "O tipo desta configuração não pode mudar."],
    ["TRANSACTION_FEE_PERCENTAGE", { category: "api" }, "A categoria desta configuração não pode mudar."],
    ["SUPPORT_EMAIL", { value: "sem arroba" }, "E-mail inválido"],
    ["PLATFORM_NAME", { value: "  " }, "O nome deve ter de 1 a 60 caracteres."],
    [
      "EVENT_RETENTION_DAYS",
      { value: 6 },
      "Informe um número inteiro de 7 a 3650 dias, ou 0 para guardar para sempre.",
    ],
    ["PIX_EXPIRATION_MINUTES", { value: 1441 }, "A validade deve ser um número inteiro de 1 a 1440 minutos."],
  ] as const)("%s refuses %j", async ([key, body, message]) => {
    const reply = await change(key, body)
    expect([reply.status, reply.json.message]).toEqual([422, message])
  })

  test("Z13: a key that isn't there is never made by a change", async () => {
    expect((await change("NOBODY_HAS_THIS", { value: 1 })).json.code).toBe("setting_not_found")
    expect((await change("__proto__", { value: 1 })).status).toBe(404)
  })
})

test("each change is on record with before and after, and the record can't be changed", async () => {
  await create({ ...note, key: "AUDITED" })
  await change("AUDITED", { value: "tchau" })
  const records = await site.db
    .selectFrom("audit_records")
    .selectAll()
    .where("entity_id", "=", "AUDITED")
    .orderBy("id")
    .execute()
  expect(records).toMatchObject([
    { action: "setting.create", before: null, after: { value: "oi" }, actor_address: "127.0.0.1" },
    { action: "setting.update", before: { value: "oi" }, after: { value: "tchau" } },
  ])
  await expect(site.database.pool.query("delete from audit_records")).rejects.toThrow(/permission denied/)
})

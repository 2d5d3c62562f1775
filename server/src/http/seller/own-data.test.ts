import { afterAll, expect, test, vi } from "vitest"
import { insertCharge, insertCharges } from "../../../test-support/insert-charge.ts"
import { parseCsv } from "../../../test-support/parse-csv.ts"
import { readXlsx } from "../../../test-support/read-xlsx.ts"
import { readZip, unzip } from "../../../test-support/read-zip.ts"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

let number = 0

const site = await openTestApp()

afterAll(() => site.close())

async function newSeller() {
  number += 1
  const email = `dona${number}@loja.example`
  const token = await site.signUp(email)
  const id: string = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
  return { token, id, email }
}

async function newPage(token: string): Promise<string> {
  const page = { title: `=Mentoria ${number}`, slug: `mentoria-${number}`, amount: 10 }
  const created = await site.call("POST", "/api/v1/checkout/pages", { token, body: page })
  return created.json.data.checkoutPage._id
}

async function exported(token: string): Promise<{ status: number; files: Map<string, string>; zip: Buffer }> {
  const reply = await site.app.inject({
    method: "GET",
    url: "/api/v1/users/me/export",
    headers: { authorization: `Bearer ${token}` },
  })
  return {
    status: reply.statusCode,
    files: reply.statusCode === 200 ? readZip(reply.rawPayload) : new Map(),
    zip: reply.rawPayload,
  }
}

const stepUp = (token: string) =>
  site.call("POST", "/api/v1/auth/step-up", { token, body: { password: sellerForm.password } })

test("the export holds everything about its owner as JSON and CSV, nothing of others, and no secret", async () => {
  const [ana, other] = [await newSeller(), await newSeller()]
  const [pageId, othersPage] = [await newPage(ana.token), await newPage(other.token)]
  const at = "2026-11-20T12:00:00Z"
  await insertCharge(site.db, { sellerId: ana.id, pageId, status: "paid", at, payerName: "Bruno; Lima" })
  await insertCharge(site.db, { sellerId: other.id, pageId: othersPage, status: "paid", at, payerName: "Carla Dias" })

  const { status, files, zip } = await exported(ana.token)
  expect(status).toBe(200)
  const json = (name: string) => JSON.parse(files.get(`json/${name}.json`) ?? "null")
  expect(json("perfil")).toMatchObject([{ name: "Ana Souza", email: ana.email, cpf: sellerForm.cpf }])
  expect(json("transacoes")).toMatchObject([
    { payerName: "Bruno; Lima", amount: 10, createdAt: "2026-11-20T12:00:00.000Z" },
  ])
  expect(json("paginas_de_cobranca")).toHaveLength(1)
  expect(json("termos_aceitos")).toHaveLength(2)
  expect(json("saques")).toEqual([])
  expect(json("sessoes")).toHaveLength(1)

  expect(parseCsv(files.get("csv/transacoes.csv") ?? "")).toMatchObject([{ Cliente: "Bruno; Lima", Status: "paid" }])
  expect(parseCsv(files.get("csv/paginas_de_cobranca.csv") ?? "")[0]?.["Título"]).toMatch(/^'=Mentoria/)
  expect([...files.keys()].filter((name) => name.startsWith("csv/")).length).toBe(
    [...files.keys()].filter((name) => name.startsWith("json/")).length,
  )

  const bookOf = (name: string) => readXlsx(unzip(zip).get(`xlsx/${name}.xlsx`) ?? Buffer.alloc(0))
  expect(bookOf("perfil")).toMatchObject([{ CPF: sellerForm.cpf, "E-mail": ana.email, "Conta ativa": "VERDADEIRO" }])
  expect(bookOf("transacoes")).toMatchObject([
    { Cliente: "Bruno; Lima", "Valor bruto (R$)": 10, "Criada em": "2026-11-20 09:00:00" },
  ])
  expect(bookOf("paginas_de_cobranca")[0]?.["Título"]).toMatch(/^=Mentoria/)
  expect(bookOf("saques")).toEqual([])
  const books = [...files.keys()].filter((name) => name.startsWith("xlsx/"))
  expect(books.length).toBe([...files.keys()].filter((name) => name.startsWith("json/")).length)

  const all = [...files.values(), ...books.map((name) => JSON.stringify(bookOf(name.slice(5, -5))))].join("\n")
  for (const hidden of ["Carla Dias", other.email, other.id, "$argon2", ana.token]) expect(all).not.toContain(hidden)
  const { token_hash } = await site.db
    .selectFrom("sessions")
    .select("token_hash")
    .where("user_id", "=", ana.id)
    .executeTakeFirstOrThrow()
  expect(all).not.toContain(token_hash.toString("hex"))
})

test("an export is in the audit, told to the owner, and made three times a day at most", async () => {
  const { token, id } = await newSeller()
  for (let n = 0; n < 3; n += 1) expect((await exported(token)).status).toBe(200)
  expect((await exported(token)).status).toBe(429)
  const records = await site.db
    .selectFrom("audit_records")
    .select("action")
    .where("actor_id", "=", id)
    .where("action", "=", "personal_data.exported")
    .execute()
  expect(records).toHaveLength(3)
  const { json } = await site.call("GET", "/api/v1/users/me/notices", { token })
  expect(json.data.notices[0].title).toBe("Os dados da sua conta foram exportados")
  const mails = await site.db.selectFrom("mails").select("content").where("user_id", "=", id).execute()
  expect(JSON.stringify(mails)).toContain("notMe")
})

test("with a thousand times more rows than fit into a chunk, the file is whole", async () => {
  const { token, id } = await newSeller()
  const pageId = await newPage(token)
  const input = { sellerId: id, pageId, status: "expired" as const, payerName: "Bruno ".repeat(30).trim() }
  await insertCharges(
    site.db,
    Array.from({ length: 3_000 }, (_, at) => ({ ...input, at: new Date(1_760_000_000_000 + at).toISOString() })),
  )
  const { files } = await exported(token)
  expect(JSON.parse(files.get("json/transacoes.json") ?? "")).toHaveLength(3_000)
})

test("the slot is free again after an export, also after one that was broken off", async () => {
  const address = await site.app.listen({ host: "127.0.0.1", port: 0 })
  const { token } = await newSeller()
  const leave = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${address}/api/v1/users/me/export`, { headers, signal: leave.signal })
  expect(reply.headers.get("content-type")).toBe("application/zip")
  expect(reply.headers.get("content-disposition")).toMatch(/meus_dados_\d{4}-\d\d-\d\d\.zip/)
  leave.abort()
  await vi.waitFor(async () => expect((await exported(token)).status).toBe(200), { timeout: 25_000, interval: 100 })
  site.app.server.closeAllConnections()
})

test("deleting an account asks for a confirmed session, in relaxed protection, too", async () => {
  const { token } = await newSeller()
  const refused = await site.call("DELETE", "/api/v1/users/me", { token })
  expect([refused.status, refused.json.code]).toEqual([403, "step_up_required"])
  await stepUp(token)
  expect((await site.call("DELETE", "/api/v1/users/me", { token })).status).toBe(204)
  expect((await site.call("GET", "/api/v1/users/me", { token })).status).toBe(401)
})

test("a new version of the terms asks the seller, who accepts just what was shown; all versions stay", async () => {
  const { token, id } = await newSeller()
  const mine = async () => (await site.call("GET", "/api/v1/users/me/legal-texts", { token })).json.data.legalTexts
  expect(
    (await mine()).map(({ version, acceptedAt }: { version: number; acceptedAt: string }) => [
      version,
      acceptedAt !== null,
    ]),
  ).toEqual([
    [1, true],
    [1, true],
  ])
  await site.db.updateTable("users").set({ role: "admin" }).where("id", "=", id).execute()
  const saved = {
    key: "TERMS_TEXT",
    value: "# Novo\nTexto <b>novo</b>",
    description: "",
    type: "string",
    category: "general",
  }
  expect((await site.call("POST", "/api/v1/settings", { token, body: saved })).status).toBe(201)
  await site.db.updateTable("users").set({ role: "user" }).where("id", "=", id).execute()

  expect((await mine())[0]).toMatchObject({ kind: "terms", version: 2, acceptedAt: null })
  const accept = (version: number) =>
    site.call("POST", "/api/v1/users/me/legal-texts", { token, body: { versions: [{ kind: "terms", version }] } })
  expect((await accept(1)).json.code).toBe("legal_text_changed")
  expect((await Promise.all([accept(2), accept(2)])).map(({ status }) => status)).toEqual([200, 200])
  expect((await mine())[0].acceptedAt).not.toBeNull()

  const page = await site.call("GET", "/termos")
  expect(page.text).toContain("<h2>Novo</h2>")
  expect(page.text).toContain("Texto &lt;b&gt;novo&lt;/b&gt;")
  expect((await site.call("GET", "/termos?versao=1")).text).toContain("já não está em vigor")
  expect((await site.call("GET", "/termos?versao=9")).status).toBe(404)
  expect((await site.call("GET", "/privacidade")).text).toContain("Política de Privacidade")
  await expect(site.db.deleteFrom("legal_texts").execute()).rejects.toThrow(/permission denied|append-only/)
})

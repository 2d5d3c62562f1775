import { afterAll, expect, test } from "vitest"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { parseCsv } from "../../../test-support/parse-csv.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const admin = await site.signUp("chefe@tilinta.example")
await site.db
  .updateTable("users")
  .set({ role: "admin", name: "=Chefe" })
  .where("email", "=", "chefe@tilinta.example")
  .execute()
const seller = await site.signUp("ana@loja.example")
for (const token of [seller, admin]) {
  const { _id: sellerId } = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user
  const body = { title: "Mentoria", slug: "mentoria", amount: 10 }
  const page = await site.call("POST", "/api/v1/checkout/pages", { token, body })
  const owner = { sellerId, pageId: page.json.data.checkoutPage._id }
  await insertCharge(site.db, { ...owner, at: "2026-11-01T02:30:00Z", status: "paid", payerName: "José" })
  await insertCharge(site.db, { ...owner, at: "2026-11-02T12:00:00Z", status: "expired", description: "@curso" })
  await insertCharge(site.db, { ...owner, at: "2026-11-03T12:00:00Z", status: "pending", amountCents: 123_456 })
}

afterAll(() => site.close())

const url = "/api/v1/admin/transactions/export"

test("only an admin takes it", async () => {
  expect((await site.call("GET", url)).status).toBe(401)
  const reply = await site.call("GET", url, { token: seller })
  expect([reply.status, reply.json.code, reply.headers["content-disposition"]]).toEqual([403, "forbidden", undefined])
})

test("everybody's, each with its seller, and on record", async () => {
  const reply = await site.call("GET", `${url}?dateFrom=2026-11-02`, { token: admin, from: "203.0.113.9" })
  expect(reply.headers).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": 'attachment; filename="transacoes_2026-11-21.csv"',
    "cache-control": "no-store",
  })
  const rows = parseCsv(reply.text)
  expect(rows.map((row) => [row["Data"], row["Status"], row["Descrição"], row["Valor bruto (R$)"]])).toEqual([
    ["03/11/2026 09:00", "Pendente", "Mentoria", "1234,56"],
    ["03/11/2026 09:00", "Pendente", "Mentoria", "1234,56"],
    ["02/11/2026 09:00", "Expirado", "'@curso", "10,00"],
    ["02/11/2026 09:00", "Expirado", "'@curso", "10,00"],
  ])
  expect(new Set(rows.map((row) => `${row["Vendedor"]} ${row["E-mail do vendedor"]}`))).toEqual(
    new Set(["Ana Souza ana@loja.example", "'=Chefe chefe@tilinta.example"]),
  )
  const records = await site.db
    .selectFrom("audit_records")
    .selectAll()
    .where("action", "=", "charges.exported")
    .execute()
  expect(records).toMatchObject([{ actor_address: "203.0.113.9", entity: "export", after: { dayFrom: "2026-11-02" } }])
})

test("has exactly what the list finds by the same filters", async () => {
  const counts: number[] = []
  const queries = ["", "status=approved", "status=cancelled", "status=pending", "search=jos%C3%A9", "search=ana@"]
  for (const query of [...queries, "endDate=2026-10-31", "paymentMethod=pix", "paymentMethod=credit_card"]) {
    const list = await site.call("GET", `/api/v1/admin/transactions?${query}`, { token: admin })
    const ids = list.json.data.transactions.map(({ _id }: { _id: string }) => _id)
    const rows = parseCsv((await site.call("GET", `${url}?${query}&limit=1`, { token: admin })).text)
    expect({ query, ids: rows.map((row) => row["ID da transação"]) }).toEqual({ query, ids })
    counts.push(rows.length)
  }
  expect(counts).toEqual([6, 2, 2, 2, 2, 3, 2, 6, 0])
  expect((await site.call("GET", `${url}?status=nada`, { token: admin })).status).toBe(400)
})

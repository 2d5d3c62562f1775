import { afterAll, beforeAll, expect, test } from "vitest"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { parseCsv } from "../../../test-support/parse-csv.ts"
import { downloadXlsx } from "../../../test-support/read-xlsx.ts"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"

let site: TestApp
let admin: string
let seller: string

beforeAll(async () => {
  site = await openTestApp()
  admin = await site.signUp("chefe@tilinta.example")
  await site.db.updateTable("users").set({ role: "admin" }).where("email", "=", "chefe@tilinta.example").execute()
  seller = await site.signUp("ana@loja.example")
  const { _id } = (await site.call("GET", "/api/v1/users/me", { token: seller })).json.data.user
  await giveBalance(site.db, _id, 1_000_000)
})

afterAll(async () => {
  await site.close()
})

const url = "/api/v1/admin/withdrawals/export"
const rowsOf = async (query = "") => parseCsv((await site.call("GET", url + query, { token: admin })).text)

async function requested(body: object): Promise<string> {
  return (await site.call("POST", "/api/v1/withdrawals", { body, token: seller })).json.data.withdrawal._id
}

test("only an admin takes it", async () => {
  expect((await site.call("GET", url)).status).toBe(401)
  const reply = await site.call("GET", url, { token: seller })
  expect([reply.status, reply.json.code, reply.headers["content-disposition"]]).toEqual([403, "forbidden", undefined])
})

test("withdrawals to keys and to accounts, what strangers typed made harmless, newest first", async () => {
  const byKey = await requested({ amount: 1234.5, paymentMethod: "pix", pixKey: "+5581987654321" })
  site.clock.pass(60)
  const byHand = await requested({
    amount: 20,
    paymentMethod: "bank_transfer",
    bankData: { bank: "=Banco; 1", agency: "0001", account: "-12345", accountType: "poupanca" },
  })
  await site.call("PATCH", `/api/v1/admin/withdrawals/${byKey}/reject`, {
    token: admin,
    body: { adminNotes: '=HYPERLINK("http://x"; "clique")' },
  })
  const reply = await site.call("GET", url, { token: admin, from: "203.0.113.9" })
  expect(reply.headers).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": 'attachment; filename="saques_2026-11-21.csv"',
    "cache-control": "no-store",
  })
  expect(parseCsv(reply.text)).toEqual([
    {
      Data: "21/11/2026 09:01",
      Vendedor: "Ana Souza",
      "E-mail do vendedor": "ana@loja.example",
      "CPF do vendedor": "529.982.247-25",
      "Valor (R$)": "20,00",
      Status: "Pendente",
      Método: "Transferência bancária",
      "Chave Pix": "",
      Banco: "'=Banco; 1",
      Agência: "0001",
      Conta: "'-12345",
      "Tipo de conta": "Poupança",
      Observações: "",
      "Motivo da recusa": "",
      "Valor devolvido (R$)": "0,00",
      "Motivo da devolução": "",
      "Aprovado em": "",
      "Finalizado em": "",
      "Devolvido em": "",
      "ID do saque": byHand,
      "ID do Pix": "",
    },
    expect.objectContaining({
      "Valor (R$)": "1234,50",
      Status: "Rejeitado",
      Método: "PIX",
      "Chave Pix": "'+5581987654321",
      "Tipo de conta": "",
      Observações: `'=HYPERLINK("http://x"; "clique")`,
      "Finalizado em": "21/11/2026 09:01",
      "ID do saque": byKey,
    }),
  ])
  const book = await downloadXlsx(site.app, `${url}?format=xlsx`, admin)
  expect(book.name).toContain('"saques_2026-11-21.xlsx"')
  expect(book.rows).toMatchObject([
    {
      Data: "2026-11-21 09:01:00",
      ...{
        "CPF do vendedor": "529.982.247-25",
        "Valor (R$)": 20,
        Banco: "=Banco; 1",
        Agência: "0001",
        Conta: "-12345",
      },
      ...{ "Valor devolvido (R$)": 0, "ID do saque": byHand },
    },
    { "Valor (R$)": 1234.5, "Chave Pix": "+5581987654321", Observações: '=HYPERLINK("http://x"; "clique")' },
  ])
  const records = await site.db
    .selectFrom("audit_records")
    .selectAll()
    .where("action", "=", "withdrawals.exported")
    .execute()
  expect(records).toHaveLength(2)
  expect(records).toContainEqual(expect.objectContaining({ actor_address: "203.0.113.9", entity: "export", after: {} }))
})

test("a withdrawal that came back says how much of it, when and why", async () => {
  const bankData = { bank: "Banco", agency: "0001", account: "12345", accountType: "corrente" }
  const id = await requested({ amount: 33.3, paymentMethod: "bank_transfer", bankData })
  for (const [step, body] of [
    ["approve", {}],
    ["complete", {}],
    ["return", { reason: "=Conta errada" }],
  ] as const) {
    expect((await site.call("PATCH", `/api/v1/admin/withdrawals/${id}/${step}`, { token: admin, body })).status).toBe(
      200,
    )
  }
  expect((await rowsOf()).find((row) => row["ID do saque"] === id)).toMatchObject({
    Status: "Rejeitado",
    "Valor devolvido (R$)": "33,30",
    "Motivo da devolução": "'=Conta errada",
    "Devolvido em": "21/11/2026 09:01",
  })
})

test("has exactly what the list finds by the same filters", async () => {
  await requested({ amount: 7, paymentMethod: "pix", pixKey: "52998224725" })
  const counts: number[] = []
  for (const query of [
    "",
    "status=rejected",
    "search=ana@",
    "search=5299822",
    "dateFrom=2026-11-21",
    "dateFrom=2026-11-22",
    "endDate=2026-11-20",
  ]) {
    const list = await site.call("GET", `/api/v1/admin/withdrawals?${query}`, { token: admin })
    const ids = list.json.data.withdrawals.map(({ _id }: { _id: string }) => _id)
    const rows = await rowsOf(`?${query}&limit=1`)
    expect({ query, ids: rows.map((row) => row["ID do saque"]) }).toEqual({ query, ids })
    counts.push(rows.length)
  }
  expect(counts).toEqual([4, 2, 4, 1, 4, 0, 0])
  expect((await site.call("GET", `${url}?status=nada`, { token: admin })).status).toBe(400)
})

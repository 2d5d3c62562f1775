import { afterAll, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const token = await site.signUp("ana@loja.example")
const sellerId: string = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
const pageId = await createPage("Mentoria")

afterAll(() => site.close())

async function createPage(title: string): Promise<string> {
  const body = { title, slug: title.toLowerCase(), amount: 10, maxPayments: null }
  return (await site.call("POST", "/api/v1/checkout/pages", { token, body })).json.data.checkoutPage._id
}

async function titlesOf(query: string): Promise<string[]> {
  const { json } = await site.call("GET", `/api/v1/checkout/pages?${query}`, { token })
  const titles = json.data.checkoutPages.map((page: { title: string }) => page.title)
  expect(json.results).toBe(titles.length)
  return titles
}

test("charge pages are found by the day of their creation in São Paulo", async () => {
  site.clock.pass(15.5 * 3600)
  await createPage("Noite")
  site.clock.pass(-15.5 * 3600)
  // 03:30 UTC on the 22nd is half past midnight in São Paulo.
  expect(await titlesOf("dateFrom=2026-11-21&dateTo=2026-11-21")).toEqual(["Mentoria"])
  expect(await titlesOf("startDate=2026-11-22")).toEqual(["Noite"])
  expect(await titlesOf("dateTo=2026-11-20")).toEqual([])
  expect(await titlesOf("dateFrom=2026-11-20&dateTo=2026-11-22&status=active")).toEqual(["Noite", "Mentoria"])
  const backwards = await site.call("GET", "/api/v1/checkout/pages?dateFrom=2026-11-22&dateTo=2026-11-21", { token })
  expect(backwards.status).toBe(400)
})

test("one transaction is shown with the payer's data", async () => {
  const payer = { payerName: "José", payerEmail: "jose@exemplo.com" }
  const id = await insertCharge(site.db, { sellerId, pageId, at: "2026-11-21T12:00:00Z", status: "paid", ...payer })
  const { status, json } = await site.call("GET", `/api/v1/payments/transactions/${id}`, { token })
  expect(status).toBe(200)
  expect(json.data.transaction).toMatchObject({
    _id: id,
    status: "pago",
    grossAmount: 10,
    fee: 1.5,
    netAmount: 8.5,
    expiresAt: "2099-01-01T00:00:00.000Z",
    customerInfo: { name: "José", email: "jose@exemplo.com", cpf: "", phone: "" },
  })
})

test("another seller's transaction, one being created and an unknown one are equally not found", async () => {
  const other = await site.signUp("bia@loja.example")
  const at = "2026-11-21T12:00:00Z"
  const own = await insertCharge(site.db, { sellerId, pageId, at, status: "paid" })
  const creating = await insertCharge(site.db, { sellerId, pageId, at, status: "creating" })
  const asked = [
    site.call("GET", `/api/v1/payments/transactions/${own}`, { token: other }),
    site.call("GET", `/api/v1/payments/transactions/${creating}`, { token }),
    site.call("GET", `/api/v1/payments/transactions/${newId()}`, { token }),
    site.call("GET", "/api/v1/payments/transactions/nenhuma", { token }),
  ]
  for (const { status, json } of await Promise.all(asked)) {
    expect([status, json.code]).toEqual([404, "transaction_not_found"])
  }
  expect((await site.call("GET", `/api/v1/payments/transactions/${own}`)).status).toBe(401)
})

test("a search gets its rows without totals when it asks so, and the same rows", async () => {
  const at = (minute: number) => `2026-11-21T13:0${minute}:00Z`
  const insert = (minute: number, description: string) =>
    insertCharge(site.db, { sellerId, pageId, at: at(minute), status: "paid", description })
  const ids = await Promise.all([insert(1, "Xilofone"), insert(2, "Violino"), insert(3, "Xilofone")])
  const asked = async (query: string) =>
    (await site.call("GET", `/api/v1/payments/transactions?search=xilofone&${query}`, { token })).json
  const bare = await asked("totals=none")
  expect([bare.results, bare.data.summary]).toEqual([undefined, undefined])
  expect(bare.data.transactions.map(({ _id }: { _id: string }) => _id)).toEqual([ids[2], ids[0]])
  const whole = await asked("totals=exact")
  expect(whole).toMatchObject({ results: 2, data: { summary: { count: 2, exact: true } } })
  expect(bare.data.transactions).toEqual(whole.data.transactions)
  expect((await asked("totals=some")).status).toBe("fail")
  expect((await asked(`totals=none&checkoutPage=${sellerId}`)).data).toEqual({ transactions: [] })
})

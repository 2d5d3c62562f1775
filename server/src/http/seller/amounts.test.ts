import { afterAll, expect, test } from "vitest"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const pageBody = { title: "Curso", slug: "curso", amount: 10, pixConfig: { allowAnonymous: true, expiresInHours: 24 } }
const withdrawalBody = { amount: 1, paymentMethod: "pix", pixKey: "ana@loja.example" }
const balanceCents = 100_000

const site = await openTestApp()
const token = await site.signUp("ana@loja.example")
const sellerId: string = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
await giveBalance(site.db, sellerId, balanceCents)
const pageId: string = (await site.call("POST", "/api/v1/checkout/pages", { token, body: pageBody })).json.data
  .checkoutPage._id

afterAll(() => site.close())

/** The amount as raw JSON, which may contain numbers that JavaScript can't. */
function sendAmount(where: string, amount: string) {
  const [method, url, body] = {
    "a new page": ["POST", "/api/v1/checkout/pages", pageBody] as const,
    "an edited page": ["PATCH", `/api/v1/checkout/pages/${pageId}`, {}] as const,
    "a withdrawal": ["POST", "/api/v1/withdrawals", withdrawalBody] as const,
  }[where] ?? ["GET", "", {}]
  const rest = JSON.stringify({ ...body, amount: undefined }).slice(1)
  const rawBody = `{"amount":${amount}${rest === "}" ? "" : ","}${rest}`
  return site.call(method, url, { token, rawBody })
}

async function stored() {
  const [pages, withdrawals] = await Promise.all([
    site.db.selectFrom("charge_pages").select(["id", "amount_cents"]).orderBy("id").execute(),
    site.db.selectFrom("withdrawals").select("id").orderBy("id").execute(),
  ])
  const { balance } = (await site.call("GET", "/api/v1/users/myBalance", { token })).json.data
  return { pages, withdrawals, balance }
}

const places = ["a new page", "an edited page", "a withdrawal"]
const noAmounts = ['"100"', '"1,50"', "true", "null", "[]", "{}", '{"$gt":0}', "1e999", "-1e999", "-0", "0", "-1"]
const tooFine = ["10.005", "0.001", "1e-7", "10.999", "10000000", "9999999.991"]

test.for(places.flatMap((where) => [...noAmounts, ...tooFine].map((amount) => [where, amount] as const)))(
  "M05, M06: %s with the amount %s is refused in Portuguese, and nothing is stored",
  async ([where, amount]) => {
    const before = await stored()
    const { status, json } = await sendAmount(where, amount)
    expect([400, 422]).toContain(status)
    expect(json.message).toMatch(/valor/i)
    expect(await stored()).toEqual(before)
  },
)

test("M05: without an amount there is neither a page nor a withdrawal", async () => {
  const before = await stored()
  const withoutAmount = { ...pageBody, amount: undefined }
  const page = await site.call("POST", "/api/v1/checkout/pages", { token, body: withoutAmount })
  const withdrawal = await site.call("POST", "/api/v1/withdrawals", {
    token,
    body: { ...withdrawalBody, amount: undefined },
  })
  expect([page.status, page.json.message]).toEqual([422, "O valor da cobrança deve ser maior que zero"])
  expect([withdrawal.status, withdrawal.json.message]).toEqual([422, "Valor deve ser maior que zero"])
  expect(await stored()).toEqual(before)
})

test.for([
  ["10.1", 10.1],
  ["10.10", 10.1],
  ["1e1", 10],
  ["29.99", 29.99],
] as const)("M06: %s is taken and comes back as %d", async ([amount, read]) => {
  const page = await sendAmount("a new page", amount)
  expect([page.status, page.json.data.checkoutPage.amount]).toEqual([201, read])
  const withdrawal = await sendAmount("a withdrawal", amount)
  expect([withdrawal.status, withdrawal.json.data.withdrawal.amount]).toEqual([201, read])
})

test.for([
  [3, 10, "0.3"],
  [1_000, 999_999_999, "9999999990"],
] as const)("M10: %d payments of %d centavos are a balance of exactly %s", async ([count, cents, balance]) => {
  const otherToken = await site.signUp(`ana${count}@loja.example`)
  const otherId = (await site.call("GET", "/api/v1/users/me", { token: otherToken })).json.data.user._id
  for (let given = 0; given < count; given += 1) await giveBalance(site.db, otherId, cents)
  const { text } = await site.call("GET", "/api/v1/users/myBalance", { token: otherToken })
  expect(text).toContain(`"balance":${balance},`)
  const me = await site.call("GET", "/api/v1/users/me", { token: otherToken })
  expect(me.text).toMatch(new RegExp(`"balance":${balance}[,}]`))
})

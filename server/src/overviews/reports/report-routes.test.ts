import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"

let site: TestApp
let admin: string
let seller: string
let sellerIds: string[]
let pageIds: string[]

// The clock is at 21 November 2026, 9:00 in São Paulo.
async function open(): Promise<void> {
  site = await openTestApp()
  admin = await site.signUp("chefe@tilinta.example")
  seller = await site.signUp("ana@loja.example")
  await site.db.updateTable("users").set({ role: "admin" }).where("email", "=", "chefe@tilinta.example").execute()
  sellerIds = await insertSellers(site.db, 7)
  pageIds = await insertChargePages(
    site.db,
    sellerIds.map((sellerId) => ({ sellerId, at: "2026-01-01T12:00:00Z" })),
  )
}

const close = () => site.close()

type Overrides = Omit<Parameters<typeof insertCharges>[1][number], "sellerId" | "pageId">
const insert = (number: number, charges: Overrides[]) =>
  insertCharges(
    site.db,
    charges.map((charge) => ({ sellerId: sellerIds[number] ?? "", pageId: pageIds[number] ?? "", ...charge })),
  )
const report = (path: string) => site.call("GET", `/api/v1/admin/reports/${path}`, { token: admin })

describe("refused", () => {
  beforeAll(open)
  afterAll(close)

  test.for(["top-users", "summary", "dashboard"])("%s is for admins only", async (path) => {
    expect((await site.call("GET", `/api/v1/admin/reports/${path}`)).status).toBe(401)
    expect((await site.call("GET", `/api/v1/admin/reports/${path}`, { token: seller })).status).toBe(403)
  })

  test.for([
    ["?period=custom", 422, "Informe a data inicial e a data final."],
    ["?period=custom&startDate=2026-11-01", 422, "Informe a data inicial e a data final."],
    ["?period=custom&startDate=2026-11-02&endDate=2026-11-01", 400, "A data inicial deve vir antes da final."],
    ["?period=custom&startDate=2026-02-31&endDate=2026-03-01", 400, "Data inválida."],
    ["?period=year", 400, "Período desconhecido."],
    ["?limit=0", 400, "Parâmetro inválido."],
  ] as const)("top sellers with %s: %d %s", async ([query, status, message]) => {
    const reply = await report(`top-users${query}`)
    expect([reply.status, reply.json.message]).toEqual([status, message])
  })

  test.for(["startDate=2026-02-31", "startDate=2026-11-02&endDate=2026-11-01", "endDate=ontem"])(
    "a summary with %s",
    async (query) => {
      expect((await report(`summary?${query}`)).status).toBe(400)
    },
  )
})

describe("the top sellers", () => {
  afterEach(close)

  const top = async (query: string) => (await report(`top-users${query}`)).json.data.topUsers
  const names = async (query: string) => (await top(query)).map(({ user }: { user: { name: string } }) => user.name)

  beforeEach(async () => {
    await open()
    for (const number of [0, 1, 2, 3, 4, 5]) {
      await insert(number, [
        { status: "paid", at: "2026-11-05T12:00:00Z", amountCents: 1_000 * (number + 1) },
        { status: "paid", at: "2026-11-06T12:00:00Z", amountCents: 50 },
        { status: "pending", at: "2026-11-07T12:00:00Z", amountCents: 900_000 },
        { status: "refunded", at: "2026-11-07T12:00:00Z", amountCents: 900_000 },
      ])
    }
    // In São Paulo it is 23:30 on 31 October.
    await insert(6, [{ status: "paid", at: "2026-11-01T02:30:00Z", amountCents: 700_000 }])
  })

  test("are five of this month by the gross of what was paid, best first", async () => {
    const found = await top("")
    expect(found).toHaveLength(5)
    expect(found[0]).toEqual({
      user: { _id: sellerIds[5], name: "Vendedor 5", email: "vendedor5@loja.example" },
      totalAmount: 60.5,
      totalSales: 2,
    })
    expect(await names("?period=month")).toEqual(["Vendedor 5", "Vendedor 4", "Vendedor 3", "Vendedor 2", "Vendedor 1"])
    expect(await names("?limit=2")).toEqual(["Vendedor 5", "Vendedor 4"])
    expect(await names("?limit=100000")).toHaveLength(6)
  })

  test("I08: of two dates, both included, in days of São Paulo", async () => {
    expect(await names("?period=custom&startDate=2026-10-31&endDate=2026-10-31")).toEqual(["Vendedor 6"])
    expect(await names("?startDate=2026-10-01&endDate=2026-11-30&limit=1")).toEqual(["Vendedor 6"])
    expect(await names("?period=custom&dateFrom=2026-11-06&dateTo=2026-11-06&limit=1")).toHaveLength(1)
    expect(await names("?period=custom&startDate=2026-09-01&endDate=2026-09-30")).toEqual([])
  })
})

describe("the summary", () => {
  beforeEach(open)
  afterEach(close)

  const nothing = { count: 0, paidCount: 0, grossAmount: 0, netAmount: 0 }

  test("of nothing has no method, and seven empty days", async () => {
    const { data } = (await report("summary")).json
    expect(data.paymentMethods).toEqual([])
    expect(data.days).toHaveLength(7)
    expect(data.days[0]).toEqual({ day: "2026-11-15", ...nothing })
    expect(data.days[6]).toEqual({ day: "2026-11-21", ...nothing })
    expect([data.months.length, data.months[0].month, data.months[11].month]).toEqual([12, "2025-12", "2026-11"])
  })

  test("counts on the day of creation, and money on the day of payment", async () => {
    await insert(0, [
      { status: "paid", at: "2026-11-18T12:00:00Z", paidAt: "2026-11-20T12:00:00Z" },
      { status: "pending", at: "2026-11-18T12:00:00Z" },
      { status: "paid", at: "2025-01-10T12:00:00Z", amountCents: 5_000 },
    ])
    const { data } = (await report("summary")).json
    const shown = data.days.filter(({ count, paidCount }: typeof nothing) => count + paidCount > 0)
    expect(shown).toEqual([
      { day: "2026-11-18", ...nothing, count: 2 },
      { day: "2026-11-20", count: 0, paidCount: 1, grossAmount: 10, netAmount: 8.5 },
    ])
    expect(data.months.at(-1)).toEqual({ month: "2026-11", count: 2, paidCount: 1, grossAmount: 10, netAmount: 8.5 })
    expect(data.paymentMethods).toEqual([
      { paymentMethod: "pix", count: 3, paidCount: 2, grossAmount: 60, netAmount: 51 },
    ])
  })

  test("amounts are less what was given back", async () => {
    await insert(0, [{ status: "paid", at: "2026-11-20T12:00:00Z", amountCents: 10_000, refundedCents: 9_000 }])
    const { data } = (await report("summary")).json
    const shown = { count: 1, paidCount: 1, grossAmount: 10, netAmount: 8.5 }
    expect(data.days[5]).toEqual({ day: "2026-11-20", ...shown })
    expect(data.months.at(-1)).toEqual({ month: "2026-11", ...shown })
    expect(data.paymentMethods).toEqual([{ paymentMethod: "pix", ...shown }])
  })

  test("I08: of a period, its days only, without a gap, both ends included", async () => {
    await insert(0, [
      { status: "paid", at: "2026-10-30T12:00:00Z", amountCents: 100 },
      { status: "paid", at: "2026-11-01T02:30:00Z", amountCents: 200 },
      { status: "paid", at: "2026-11-01T03:30:00Z", amountCents: 400 },
    ])
    const { data } = (await report("summary?startDate=2026-10-30&endDate=2026-10-31")).json
    expect(data.period).toEqual({ startDate: "2026-10-30", endDate: "2026-10-31" })
    expect(data.days).toMatchObject([
      { day: "2026-10-30", grossAmount: 1 },
      { day: "2026-10-31", grossAmount: 2 },
    ])
    expect(data.months).toMatchObject([{ month: "2026-10", count: 2, grossAmount: 3 }])
    expect(data.paymentMethods).toMatchObject([{ count: 2, grossAmount: 3 }])
  })

  test("begins no earlier than there is something to show, and ends today", async () => {
    await insert(0, [{ status: "pending", at: "2026-11-19T12:00:00Z" }])
    const { data } = (await report("summary?startDate=1970-01-01&endDate=2999-12-31")).json
    expect(data.days.map(({ day }: { day: string }) => day)).toEqual(["2026-11-19", "2026-11-20", "2026-11-21"])
    expect((await report("summary?startDate=2027-01-01")).json.data.days).toEqual([])
  })
})

describe("the dashboard", () => {
  beforeEach(open)
  afterEach(close)

  const dashboard = async () => (await report("dashboard")).json.data

  test("counts everything there is, exactly", async () => {
    await giveBalance(site.db, (await me()).id, 10_000)
    for (const amount of [10.5, 20]) {
      const body = { amount, paymentMethod: "pix", pixKey: "ana@loja.example" }
      await site.call("POST", "/api/v1/withdrawals", { token: seller, body })
    }
    await insert(0, [
      { status: "paid", at: "2026-11-18T12:00:00Z" },
      { status: "paid", at: "2024-01-18T12:00:00Z", amountCents: 2_000 },
      { status: "refunded", at: "2026-11-18T12:00:00Z" },
      { status: "paid", at: "2026-11-18T12:00:00Z", amountCents: 10_000, refundedCents: 9_000 },
      { status: "pending", at: "2026-11-18T12:00:00Z" },
      { status: "creating", at: "2026-11-18T12:00:00Z" },
    ])
    expect(await dashboard()).toEqual({
      users: 9,
      revenue: 34,
      transactions: 5,
      pendingWithdrawals: { count: 2, amount: 30.5 },
      chargePages: 7,
      monthlyGrowth: 0,
    })
  })

  async function me(): Promise<{ id: string }> {
    const reply = await site.call("GET", "/api/v1/users/me", { token: seller })
    return { id: reply.json.data.user._id }
  }

  test("I08: growth compares months of São Paulo, to two decimals", async () => {
    await insert(0, [
      { status: "pending", at: "2026-10-01T03:00:00Z" },
      { status: "expired", at: "2026-10-15T12:00:00Z" },
      { status: "paid", at: "2026-11-01T02:59:59Z" },
      { status: "paid", at: "2026-11-01T03:00:00Z" },
      { status: "paid", at: "2026-10-01T02:59:59Z" },
    ])
    expect((await dashboard()).monthlyGrowth).toBe(-66.67)
    await insert(
      0,
      [1, 2, 3, 4].map(() => ({ status: "pending" as const, at: "2026-11-10T12:00:00Z" })),
    )
    expect((await dashboard()).monthlyGrowth).toBe(66.67)
  })
})

import pg from "pg"
import { afterAll, expect, test } from "vitest"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const token = await site.signUp("ana@loja.example")
const sellerId: string = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
const body = { title: "Mentoria", slug: "mentoria", amount: 10, maxPayments: null }
const page: { _id: string; uniqueLink: string } = (await site.call("POST", "/api/v1/checkout/pages", { token, body }))
  .json.data.checkoutPage

afterAll(() => site.close())

interface Day {
  day: string
  count: number
  gross: number
  net: number
}

interface Report {
  days: Day[]
  previousDays: Day[]
  conversion: { opened: number; generated: number; paid: number }
}

async function report(days: number, of = token): Promise<Report> {
  return (await site.call("GET", `/api/v1/reports/seller?days=${days}`, { token: of })).json.data
}

async function asOwner(statement: string): Promise<void> {
  const owner = new pg.Client({ connectionString: site.database.url })
  await owner.connect()
  await owner.query(statement).finally(() => owner.end())
}

const openPage = () => site.call("GET", `/checkout/${page.uniqueLink}`)

test("days are São Paulo's, each is there, and what came before stands next to it", async () => {
  const insert = (at: string, status: "paid" | "pending" | "failed" | "refunded" | "creating") =>
    insertCharge(site.db, { sellerId, pageId: page._id, at, status })
  await insert("2026-11-21T02:59:00Z", "paid")
  await insert("2026-11-21T03:01:00Z", "paid")
  await insert("2026-11-15T12:00:00Z", "paid")
  await insert("2026-11-14T12:00:00Z", "paid")
  await insert("2026-11-08T02:00:00Z", "paid")
  await insert("2026-11-20T12:00:00Z", "pending")
  await insert("2026-11-20T12:00:00Z", "failed")
  await insert("2026-11-20T12:00:00Z", "refunded")
  await insert("2026-11-20T12:00:00Z", "creating")

  const week = await report(7)
  expect(week.days.map(({ day }) => day)).toEqual([15, 16, 17, 18, 19, 20, 21].map((day) => `2026-11-${day}`))
  expect(week.days.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 1, 1])
  expect(week.days[6]).toEqual({ day: "2026-11-21", count: 1, gross: 10, net: 8.5 })
  expect(week.previousDays.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 1])
  expect(week.previousDays[0]?.day).toBe("2026-11-08")
  expect(week.conversion).toEqual({ opened: 0, generated: 5, paid: 4 })

  const month = await report(30)
  expect(month.days).toHaveLength(30)
  expect(month.days.reduce((sum, { count }) => sum + count, 0)).toBe(5)
  expect((await site.call("GET", "/api/v1/reports/seller?days=365", { token })).status).toBe(400)
})

test("openings are counted in memory, written in one go, and belong to the page's seller", async () => {
  await Promise.all(Array.from({ length: 20 }, openPage))
  await site.call("GET", "/checkout/nao-existe")
  await site.call("HEAD", `/checkout/${page.uniqueLink}`)
  expect((await report(7)).conversion.opened).toBe(0)
  await site.openings.flush()
  expect((await report(7)).conversion.opened).toBe(20)
  await site.openings.flush()
  expect((await report(7)).conversion.opened).toBe(20)
  await openPage()
  await Promise.all([site.openings.flush(), site.openings.flush()])
  expect((await report(7)).conversion.opened).toBe(21)
  expect((await report(7, await site.signUp("bia@loja.example"))).conversion.opened).toBe(0)
})

test("what could not be written is written later", async () => {
  await openPage()
  await asOwner("alter table page_opening_totals rename to elsewhere")
  await expect(site.openings.flush()).rejects.toThrow("page_opening_totals")
  await openPage()
  await asOwner("alter table elsewhere rename to page_opening_totals")
  await site.openings.flush()
  expect((await report(7)).conversion.opened).toBe(23)
})

import { afterAll, expect, test } from "vitest"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const admin = await site.signUp("chefe@tilinta.example")
const seller = await site.signUp("ana@loja.example")
await site.db.updateTable("users").set({ role: "admin" }).where("email", "=", "chefe@tilinta.example").execute()
const sellerIds = await insertSellers(site.db, 2)
const [first = "", second = ""] = sellerIds
const ids = await insertChargePages(site.db, [
  { sellerId: first, at: "2026-11-05T12:00:00Z", title: "Aula de Violão", description: "100% prática" },
  { sellerId: second, at: "2026-11-04T12:00:00Z", status: "completed" },
  { sellerId: first, at: "2026-11-03T12:00:00Z", status: "cancelled" },
  { sellerId: second, at: "2026-11-02T12:00:00Z", status: "expired" },
  { sellerId: second, at: "2026-11-01T12:00:00Z" },
  { sellerId: second, at: "2026-11-06T12:00:00Z", title: "Apagada" },
])
await site.db.updateTable("charge_pages").set({ deleted_at: new Date() }).where("title", "=", "Apagada").execute()

afterAll(() => site.close())

const url = "/api/v1/admin/checkout-pages"
const list = async (query = "") => (await site.call("GET", url + query, { token: admin })).json
const idsOf = (reply: { data: { checkouts: { _id: string }[] } }) => reply.data.checkouts.map(({ _id }) => _id)

test("is for admins only", async () => {
  expect((await site.call("GET", url)).status).toBe(401)
  expect((await site.call("GET", url, { token: seller })).status).toBe(403)
})

test("everybody's pages, newest first, with their sellers; deleted ones are gone", async () => {
  const reply = await list()
  expect(idsOf(reply)).toEqual(ids.slice(0, 5))
  expect(reply.results).toBe(5)
  expect(reply.data.summary).toEqual({ count: 5, active: 2, completed: 1, expired: 1, cancelled: 1 })
  expect(reply.data.checkouts[0]).toMatchObject({
    title: "Aula de Violão",
    amount: 10,
    status: "active",
    user: { _id: sellerIds[0], name: "Vendedor 0", email: "vendedor0@loja.example" },
  })
})

test("a single one is anybody's, and a deleted one is gone", async () => {
  const [reply, deleted, unknown] = await Promise.all(
    [ids[3], ids[5], "nada"].map((id) => site.call("GET", `${url}/${id}`, { token: admin })),
  )
  expect(reply?.json.data.checkoutPage).toEqual((await list()).data.checkouts[3])
  for (const missing of [deleted, unknown]) {
    expect([missing?.status, missing?.json.message]).toEqual([404, "Página de cobrança não encontrada"])
  }
})

test("by status, with the counts of what is found", async () => {
  const reply = await list("?status=active")
  expect(idsOf(reply)).toEqual([ids[0], ids[4]])
  expect(reply.data.summary).toEqual({ count: 2, active: 2, completed: 0, expired: 0, cancelled: 0 })
})

test.for([
  ["violao", [0]],
  ["100%25", [0]],
  ["0%25 p", [0]],
  ["%25", [0]],
  ["_", []],
  ["apagada", []],
  ["vendedor1@loja", [1, 3, 4]],
  ["VENDEDOR 0", [0, 2]],
] as const)("a search for %s finds it literally in title, description and seller", async ([words, found]) => {
  const reply = await list(`?search=${words}`)
  expect(idsOf(reply)).toEqual(found.map((number) => ids[number]))
  expect([reply.results, reply.data.summary.count]).toEqual([found.length, found.length])
})

test("page by page and by key: no row twice, none missing", async () => {
  expect(idsOf(await list("?limit=2&page=2"))).toEqual(ids.slice(2, 4))
  expect(idsOf(await list(`?limit=2&after=${ids[1]}`))).toEqual(ids.slice(2, 4))
  expect((await list(`?limit=2&after=${ids[1]}`)).results).toBe(5)
})

test.for(["?status=nada", "?page=0", "?after=1"])("%s is refused", async (query) => {
  expect((await site.call("GET", url + query, { token: admin })).status).toBe(400)
})

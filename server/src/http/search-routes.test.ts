import { afterAll, expect, test } from "vitest"
import { newPerson, type Person } from "../../test-support/admins.ts"
import { giveBalance } from "../../test-support/give-balance.ts"
import { insertCharge, insertCharges } from "../../test-support/insert-charge.ts"
import { insertChargePages } from "../../test-support/insert-charge-pages.ts"
import { openTestApp } from "../../test-support/test-app.ts"

const endToEndId = "E0000000020261121120000000000777"

const site = await openTestApp()
const admin = await newPerson(site, "chefe@tilinta.example", "admin")
const ana = await newPerson(site, "ana@loja.example")
const bia = await newPerson(site, "bia@loja.example")
const pageIds = await insertChargePages(site.db, [
  { sellerId: ana.id, at: "2026-11-01T12:00:00Z", title: "Aula de Violão" },
  { sellerId: bia.id, at: "2026-11-02T12:00:00Z", title: "Aula de Canto" },
])
const [ofAna = "", ofBia = ""] = pageIds
const paid = { status: "paid", at: "2026-11-03T12:00:00Z", payerName: "Zuleica Prado", endToEndId } as const
const chargeId = await insertCharge(site.db, { sellerId: ana.id, pageId: ofAna, ...paid })
await insertCharges(
  site.db,
  Array.from({ length: 7 }, (_, number) => {
    const at = `2026-11-04T12:00:0${number}Z`
    return { sellerId: bia.id, pageId: ofBia, status: "pending", at, payerName: `Zuleica ${number}` }
  }),
)
await giveBalance(site.db, ana.id, 10_000)
const body = { amount: 10, paymentMethod: "pix", pixKey: "chave-da-ana@loja.example" }
const asked = await site.call("POST", "/api/v1/withdrawals", { token: ana.token, body })
const withdrawalId: string = asked.json.data.withdrawal._id

afterAll(() => site.close())

type Hits = Record<string, { _id: string }[]>

async function find(words: string, by: Person, path: string): Promise<Record<string, string[]>> {
  const reply = await site.call("GET", `${path}?q=${encodeURIComponent(words)}`, { token: by.token })
  expect(reply.status).toBe(200)
  return Object.fromEntries(
    Object.entries(reply.json.data as Hits).map(([kind, hits]) => [kind, hits.map(({ _id }) => _id)]),
  )
}

const own = (words: string, by = ana) => find(words, by, "/api/v1/search")
const all = (words: string) => find(words, admin, "/api/v1/admin/search")
const txidOf = async (id: string) =>
  (await site.db.selectFrom("charges").select("txid").where("id", "=", id).executeTakeFirstOrThrow()).txid ?? ""

test("a letter in two pieces is found as one, however it was sent and is searched", async () => {
  const body = { title: "Oficina de croche\u0302", slug: "croche", amount: 10 }
  const page = (await site.call("POST", "/api/v1/checkout/pages", { token: ana.token, body })).json.data.checkoutPage
  expect(page.title).toBe("Oficina de crochê")
  for (const words of ["crochê", "croche\u0302"]) expect(await own(words)).toMatchObject({ checkoutPages: [page._id] })
})

test("a seller finds their own by title, description, payer and the names that banks give", async () => {
  expect(await own("violao")).toEqual({
    customers: [],
    checkoutPages: [pageIds[0]],
    transactions: expect.any(Array),
    invoices: [],
    subscriptions: [],
  })
  expect(await own("aula de")).toMatchObject({ checkoutPages: [pageIds[0]] })
  for (const words of ["zuleica", "PRADO", endToEndId, endToEndId.toLowerCase(), await txidOf(chargeId), chargeId]) {
    expect((await own(words)).transactions).toEqual([chargeId])
  }
})

test("a seller finds what customers owe by their names and by what it is for", async () => {
  const body = {
    customer: { name: "Zenaide Prates" },
    amount: 90,
    dueDate: "2030-12-10",
    description: "Aula de dezembro",
  }
  const { json } = await site.call("POST", "/api/v1/invoices", { token: ana.token, body })
  for (const words of ["zenaide", "aula de dez"]) expect((await own(words)).invoices).toEqual([json.data.invoice._id])
  expect((await own("zenaide", bia)).invoices).toEqual([])
})

test("a seller finds subscriptions by their names and their customers'", async () => {
  const body = {
    ...{ customer: { name: "Ximena Prates" }, title: "Clube do vinho", amount: 90 },
    ...{ period: "monthly", firstDueDate: "2030-12-10" },
  }
  const { json } = await site.call("POST", "/api/v1/subscriptions", { token: ana.token, body })
  for (const words of ["ximena", "do vinho"]) {
    expect((await own(words)).subscriptions).toEqual([json.data.subscription._id])
  }
  expect((await own("ximena", bia)).subscriptions).toEqual([])
})

test("a seller finds their customers by name, document, e-mail and phone, and nobody else does", async () => {
  const body = { name: "Yara Prates", document: "390.533.447-05", email: "yara@casa.example", phone: "(11) 97777-6666" }
  const { _id } = (await site.call("POST", "/api/v1/customers", { token: ana.token, body })).json.data.customer
  for (const words of ["yára", "390.533.447-05", "YARA@casa", "(11) 97777-6666"]) {
    expect(await own(words)).toMatchObject({ customers: [_id] })
    expect(await own(words, bia)).toMatchObject({ customers: [] })
  }
})

test("nothing of anybody else's, also when it is named whole", async () => {
  for (const words of [endToEndId, await txidOf(chargeId), chargeId, pageIds[0] ?? "", "prado", "violão"]) {
    expect(await own(words, bia)).toEqual({
      ...{ customers: [], checkoutPages: [], transactions: [], invoices: [], subscriptions: [] },
    })
  }
  expect((await own("chave-da-ana")).withdrawals).toBeUndefined()
  expect((await site.call("GET", "/api/v1/search?q=aula")).status).toBe(401)
  expect((await site.call("GET", "/api/v1/admin/search?q=aula", { token: ana.token })).status).toBe(403)
})

test("an admin finds people, pages, transactions and withdrawals", async () => {
  expect(await all("ANA@loja")).toMatchObject({ users: [ana.id], withdrawals: [withdrawalId] })
  expect(await all("529.982")).toMatchObject({ users: expect.arrayContaining([ana.id, bia.id]) })
  expect(await all(ana.id)).toMatchObject({ users: [ana.id] })
  expect((await all("aula de")).checkoutPages).toEqual(pageIds.toReversed())
  for (const words of [endToEndId, await txidOf(chargeId), chargeId]) {
    expect((await all(words)).transactions).toEqual([chargeId])
  }
  expect((await all("chave-da-ana")).withdrawals).toEqual([withdrawalId])
  expect((await all(withdrawalId)).withdrawals).toEqual([withdrawalId])
})

test("five of a kind at most, the newest first; a hit says whose it is", async () => {
  const reply = await site.call("GET", "/api/v1/admin/search?q=zuleica", { token: admin.token })
  const { transactions } = reply.json.data
  expect(transactions.map(({ payerName }: { payerName: string }) => payerName)).toEqual(
    [6, 5, 4, 3, 2].map((number) => `Zuleica ${number}`),
  )
  expect(transactions[0]).toMatchObject({ amount: 10, sellerName: "Ana Souza" })
})

test("what an admin searched for is recorded with the number of hits, a seller's own search is not", async () => {
  await all("chave-da-ana@loja")
  await all("au")
  await own("violao")
  await site.accessNotes.flush()
  const records = site.db.selectFrom("audit_records").selectAll().where("action", "=", "everything.searched")
  const searches = (await records.execute()).map(({ actor_id, after }) => ({ actor_id, after }))
  expect(searches).toContainEqual({ actor_id: admin.id, after: { search: "chave-da-ana@loja", results: 1 } })
  expect(JSON.stringify(searches)).not.toMatch(/"au"|violao/)
})

test("what is searched for is taken literally, and too little finds nothing", async () => {
  const nothing = { users: [], checkoutPages: [], transactions: [], withdrawals: [] }
  for (const words of ["", "  ", "au", "%%%", "___", "nada disso", "' or 1=1 --"]) {
    expect(await all(words)).toEqual(nothing)
  }
  expect((await site.call("GET", "/api/v1/search", { token: ana.token })).status).toBe(200)
  const long = await site.call("GET", `/api/v1/search?q=${"a".repeat(201)}`, { token: ana.token })
  expect(long.status).toBe(422)
})

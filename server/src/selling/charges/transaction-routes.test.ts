import { array, assert, asyncProperty, constantFrom, integer, record } from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { asOwner } from "../../../test-support/as-owner.ts"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const url = "/api/v1/admin/transactions"

const site = await openTestApp()
const admin = await site.signUp("chefe@tilinta.example")
const seller = await site.signUp("ana@loja.example")
await site.db.updateTable("users").set({ role: "admin" }).where("email", "=", "chefe@tilinta.example").execute()
const sellerIds = await insertSellers(site.db, 12)
const pageIds = await insertChargePages(
  site.db,
  sellerIds.map((sellerId) => ({ sellerId, at: "2026-01-01T12:00:00Z" })),
)

afterAll(() => site.close())

type TransactionOptions = Omit<Parameters<typeof insertCharges>[1][number], "sellerId" | "pageId">
const insert = (number: number, charges: TransactionOptions[]) =>
  insertCharges(
    site.db,
    charges.map((charge) => ({ sellerId: sellerIds[number] ?? "", pageId: pageIds[number] ?? "", ...charge })),
  )
const get = (query: Record<string, string | number> = {}) =>
  site.call(
    "GET",
    `${url}?${Object.entries(query)
      .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
      .join("&")}`,
    {
      token: admin,
    },
  )
const list = async (query: Record<string, string | number> = {}) => (await get(query)).json
const idsOf = (reply: { data: { transactions: { _id: string }[] } }) => reply.data.transactions.map(({ _id }) => _id)

describe("access", () => {
  test.for([url, `${url}/x`, "/api/v1/admin/checkout-pages", "/api/v1/admin/reports/summary"])(
    "%s: nobody without a session, no seller",
    async (path) => {
      expect((await site.call("GET", path)).status).toBe(401)
      expect((await site.call("GET", path, { token: seller })).status).toBe(403)
    },
  )
})

test("a transaction is shown whole, and Z11: nothing else of its seller", async () => {
  const [id = ""] = await insert(0, [
    { status: "paid", at: "2025-01-05T12:00:00Z", paidAt: "2025-01-05T12:01:00Z", payerName: "João", endToEndId: "E1" },
  ])
  const reply = await list({ dateFrom: "2025-01-05", dateTo: "2025-01-05" })
  const { txid } = await site.db.selectFrom("charges").select("txid").where("id", "=", id).executeTakeFirstOrThrow()
  expect(reply).toEqual({
    status: "success",
    results: 1,
    data: {
      transactions: [
        {
          _id: id,
          createdAt: "2025-01-05T12:00:00.000Z",
          updatedAt: "2025-01-05T12:00:00.000Z",
          paidAt: "2025-01-05T12:01:00.000Z",
          description: "Mentoria",
          amount: 10,
          grossAmount: 10,
          fee: 1.5,
          netAmount: 8.5,
          refundedAmount: 0,
          status: "approved",
          paymentMethod: "pix",
          checkoutPage: { _id: pageIds[0], title: "Mentoria" },
          user: { _id: sellerIds[0], name: "Vendedor 0", email: "vendedor0@loja.example" },
          customerInfo: { name: "João" },
          customerDataErasedAt: null,
          externalReference: null,
          metadata: { txid, endToEndId: "E1", late: false, duplicate: false, order: {}, reason: null },
        },
      ],
      summary: {
        count: 1,
        exact: true,
        totalGross: 10,
        totalFee: 1.5,
        totalNet: 8.5,
        totalRefunded: 0,
        pendingGross: 0,
        approvedCount: 1,
        pendingCount: 0,
        failedCount: 0,
        refundedCount: 0,
      },
    },
  })
})

describe("filters", () => {
  const day = { dateFrom: "2025-02-10", dateTo: "2025-02-10" }

  beforeAll(async () => {
    const at = "2025-02-10T12:00:00Z"
    await insert(1, [
      { status: "paid", at },
      { status: "paid", at },
      { status: "pending", at },
      { status: "expired", at },
      { status: "cancelled", at },
      { status: "failed", at },
      { status: "refunded", at },
      { status: "creating", at },
    ])
  })

  test.for([
    ["approved", "success", "paid", { approved: 2 }],
    ["pending", "processing", "pending", { pending: 1 }],
    ["failed", "error", "cancelled", { failed: 1, cancelled: 2 }],
    ["refunded", "refunded", "refunded", { refunded: 1 }],
  ] as const)("%s, %s and %s find the whole group", async ([first, second, third, counts]) => {
    for (const status of [first, second, third]) {
      const reply = await list({ ...day, status })
      const shown: Record<string, number> = {}
      for (const transaction of reply.data.transactions)
        shown[transaction.status] = (shown[transaction.status] ?? 0) + 1
      expect(shown).toEqual(counts)
      expect(reply.results).toBe(Object.values(counts).reduce((sum, count) => sum + count, 0))
      expect(reply.data.summary.count).toBe(reply.results)
    }
  })

  test("an expired one reads cancelled, with its reason; what is still being created isn't there", async () => {
    const { transactions, summary } = (await list(day)).data
    expect(summary).toMatchObject({ count: 7, approvedCount: 2, pendingCount: 1, failedCount: 3, refundedCount: 1 })
    const reasons = transactions
      .filter(({ status }: { status: string }) => status === "cancelled")
      .map(({ metadata }: { metadata: { reason: string | null } }) => metadata.reason)
    expect(reasons.toSorted()).toEqual(["expired", null])
  })

  test("sums are of what was paid, less what was given back; pending money is told apart", async () => {
    const at = "2025-05-10T12:00:00Z"
    await insert(1, [
      { status: "paid", at, amountCents: 10_000 },
      { status: "paid", at, amountCents: 10_000, refundedCents: 9_000 },
      { status: "refunded", at, amountCents: 5_000 },
      { status: "pending", at, amountCents: 3_333 },
      { status: "expired", at, amountCents: 7_000 },
      { status: "cancelled", at, amountCents: 7_000 },
      { status: "failed", at, amountCents: 7_000 },
    ])
    const may = { dateFrom: "2025-05-10", dateTo: "2025-05-10" }
    const sums = { totalGross: 110, totalFee: 16.5, totalNet: 93.5, totalRefunded: 140, pendingGross: 33.33 }
    for (const filter of [may, { ...may, search: "mentoria" }]) {
      expect((await list(filter)).data.summary).toMatchObject({ count: 7, ...sums })
    }
    const nothing = { totalGross: 0, totalFee: 0, totalNet: 0, totalRefunded: 0, pendingGross: 0 }
    expect((await list({ ...may, status: "pending" })).data.summary).toMatchObject({ ...nothing, pendingGross: 33.33 })
    expect((await list({ ...may, status: "failed" })).data.summary).toMatchObject({ ...nothing, count: 3 })
    expect((await list({ ...may, status: "refunded" })).data.summary).toMatchObject({ ...nothing, totalRefunded: 50 })
  })

  test("by method: all are pix, and the others find nothing", async () => {
    expect((await list({ ...day, paymentMethod: "pix" })).results).toBe(7)
    for (const paymentMethod of ["credit_card", "debit_card", "boleto", "bank_transfer"]) {
      const reply = await list({ ...day, paymentMethod, search: "mentoria" })
      expect([reply.results, reply.data.transactions, reply.data.summary.totalGross]).toEqual([0, [], 0])
      expect((await list({ ...day, paymentMethod, status: "approved" })).data.summary.count).toBe(0)
    }
  })

  test("startDate and endDate are the same as dateFrom and dateTo", async () => {
    expect((await list({ startDate: "2025-02-10", endDate: "2025-02-10" })).results).toBe(7)
  })

  test("I08: 23:30 of a month's last day in São Paulo belongs to that day", async () => {
    const [id] = await insert(1, [{ status: "pending", at: "2025-04-01T02:30:00Z" }])
    expect(idsOf(await list({ dateFrom: "2025-03-31", dateTo: "2025-03-31" }))).toEqual([id])
    expect((await list({ dateFrom: "2025-03-01", dateTo: "2025-03-31" })).data.summary.count).toBe(1)
    expect((await list({ dateFrom: "2025-04-01", dateTo: "2025-04-30" })).results).toBe(0)
  })

  test.for([
    "dateFrom=2026-02-31",
    "dateTo=ontem",
    "dateFrom=2026-11-22&dateTo=2026-11-21",
    "startDate=2026-11-22&endDate=2026-11-21",
    "status=nada",
    "status=pago",
    "paymentMethod=dinheiro",
    "page=0",
    "page=-1",
    "limit=0",
    "limit=muitas",
    "search=%00",
    "after=ontem",
  ])("%s is refused in Portuguese", async (query) => {
    const reply = await site.call("GET", `${url}?${query}`, { token: admin })
    expect([reply.status, reply.json.code]).toEqual([400, "malformed_request"])
    expect(reply.json.message).toMatch(/[a-z]\.$/)
  })
})

describe("search", () => {
  const search = async (words: string) =>
    idsOf(await list({ search: words, dateFrom: "2025-05-01", dateTo: "2025-05-31" }))

  test("looks at description, title, payer, both ids, seller's name and e-mail, whatever accents and case", async () => {
    const at = "2025-05-02T12:00:00Z"
    const [id = ""] = await insert(2, [
      {
        status: "paid",
        at,
        description: "Aula de Violão",
        pageTitle: "Curso Avançado",
        payerName: "Conceição Lima",
        endToEndId: "E00038166202505021200abcdefghijk",
      },
    ])
    await site.db
      .updateTable("users")
      .set({ name: "Íris Flores" })
      .where("id", "=", sellerIds[2] ?? "")
      .execute()
    const stored = await site.db.selectFrom("charges").select("txid").where("id", "=", id).executeTakeFirstOrThrow()
    const txid = stored.txid ?? "none"
    const finding = ["VIOLAO", "curso av", "conceicao", txid, txid.slice(8, 20), "502120", "iris", "vendedor2@loja"]
    for (const words of finding) {
      expect([words, await search(words)]).toEqual([words, [id]])
      expect(
        (await list({ search: words, status: "approved", dateFrom: "2025-05-01", dateTo: "2025-05-31" })).results,
      ).toBe(1)
    }
    expect(await search("violino")).toEqual([])
    expect(await search("lima aula")).toEqual([])
  })

  test("a word in many of them is found page by page, by number and by key, and its rows wait for no totals", async () => {
    const ids = await insert(
      4,
      Array.from({ length: 8 }, (_, number) => ({
        status: number % 3 === 0 ? ("pending" as const) : ("paid" as const),
        at: `2025-06-02T12:0${number}:00Z`,
        description: number === 5 ? "Outra coisa" : "Aula de xilofone",
      })),
    )
    const newestFirst = ids.filter((_, number) => number !== 5).toReversed()
    const words = { search: "xilofone", totals: "none" }
    const { results, data } = await list({ ...words, limit: 3 })
    expect([results, data.summary]).toEqual([undefined, undefined])
    expect(idsOf({ data })).toEqual(newestFirst.slice(0, 3))
    expect(idsOf(await list({ ...words, limit: 3, page: 2 }))).toEqual(newestFirst.slice(3, 6))
    expect(idsOf(await list({ ...words, limit: 3, after: newestFirst[2] ?? "" }))).toEqual(newestFirst.slice(3, 6))
    expect(idsOf(await list({ ...words, limit: 100 }))).toEqual(newestFirst)
    expect(idsOf(await list({ ...words, limit: 2, status: "pending" }))).toEqual([ids[6], ids[3]])
    expect((await list({ search: "xilofone", limit: 3 })).data.summary).toMatchObject({ count: 7, pendingCount: 3 })
  })

  test("I02: what means something to the database is found as it is, and nothing else", async () => {
    const texts = ["100% certo", "nome_composto", "barra\\dupla", "aspas ' OR 1=1--", '$1 "dólar"', "nada disso"]
    const ids = await insert(
      3,
      texts.map((description) => ({ status: "pending" as const, at: "2025-05-20T12:00:00Z", description })),
    )
    for (const [number, words] of ["0%", "e_c", "a\\d", "' OR 1=1--", '$1 "'].entries()) {
      expect([words, await search(words)]).toEqual([words, [ids[number]]])
    }
    expect(await search("%%")).toEqual([])
    expect(await search("\\")).toEqual([ids[2]])
  })
})

describe("pages", () => {
  const status = constantFrom("paid", "pending", "expired", "cancelled", "failed", "refunded")
  const someCharges = array(
    record({ status, amountCents: integer({ min: 1, max: 999_999 }), minute: integer({ min: 0, max: 3 }) }),
    {
      minLength: 1,
      maxLength: 25,
    },
  )
  let month = 0

  test("whatever there is and however it is paged: each row once, in order, and the summary is the sum of all pages", async () => {
    await assert(
      asyncProperty(
        someCharges,
        integer({ min: 1, max: 7 }),
        constantFrom("", "failed", "approved"),
        async (charges, limit, word) => {
          month += 1
          const day = `${2000 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-10`
          await insert(
            month % 12,
            charges.map(({ minute, ...charge }) => ({ ...charge, at: `${day}T12:0${minute}:00Z` })),
          )
          const filter = { dateFrom: day, dateTo: day, limit, ...(word !== "" && { status: word }) }
          const byKey = await readAll((rows, last) =>
            list({ ...filter, ...(rows.length > 0 && { after: last ?? "" }) }),
          )
          const byPage = await readAll((rows) => list({ ...filter, page: rows.length / limit + 1 }))
          expect(byKey.rows).toEqual(byPage.rows)
          expect(new Set(byKey.rows.map(({ _id }) => _id)).size).toBe(byKey.rows.length)
          const order = byKey.rows.map(({ createdAt, _id }) => createdAt + _id)
          expect(order).toEqual(order.toSorted().toReversed())
          const cents = (pick: (row: Row) => number) =>
            byKey.rows.reduce((sum, row) => sum + Math.round(pick(row) * 100), 0) / 100
          expect(byKey.summary).toMatchObject({
            count: byKey.rows.length,
            totalGross: cents((row) => (isPaid(row) ? row.grossAmount : 0)),
            totalFee: cents((row) => (isPaid(row) ? row.fee : 0)),
            totalNet: cents((row) => (isPaid(row) ? row.netAmount : 0)),
            totalRefunded: cents((row) => row.refundedAmount),
            pendingGross: cents((row) => (row.status === "pending" ? row.grossAmount : 0)),
            approvedCount: byKey.rows.filter((row) => row.status === "approved").length,
            failedCount: byKey.rows.filter((row) => row.status === "failed" || row.status === "cancelled").length,
          })
        },
      ),
      { numRuns: 12 },
    )
  })

  interface Row {
    _id: string
    createdAt: string
    status: string
    grossAmount: number
    fee: number
    netAmount: number
    refundedAmount: number
  }

  const isPaid = (row: Row) => row.status === "approved"

  async function readAll(next: (rows: Row[], last: string | undefined) => ReturnType<typeof list>) {
    const rows: Row[] = []
    for (;;) {
      const reply = await next(rows, rows.at(-1)?._id)
      rows.push(...reply.data.transactions)
      const isEnd = reply.data.transactions.length === 0 || rows.length >= reply.results
      if (isEnd) return { rows, summary: reply.data.summary }
    }
  }

  test("by key no row comes twice when newer ones arrive between two pages", async () => {
    const day = { dateFrom: "2025-06-10", dateTo: "2025-06-10", limit: 2 }
    const minutes = [1, 2, 3, 4]
    const ids = await insert(
      4,
      minutes.map((minute) => ({ status: "pending" as const, at: `2025-06-10T12:0${minute}:00Z` })),
    )
    const first = idsOf(await list(day))
    await insert(4, [{ status: "pending", at: "2025-06-10T12:09:00Z" }])
    const second = idsOf(await list({ ...day, after: first.at(-1) ?? "" }))
    expect([...first, ...second]).toEqual(ids.toReversed())
  })

  test("a row that isn't there is said to be missing, not taken for the end", async () => {
    const reply = await get({ after: "0190a000-0000-7000-8000-000000000000" })
    expect([reply.status, reply.json.message]).toEqual([400, "A lista mudou. Carregue-a de novo."])
  })

  test("a hundred by default, at most a thousand", async () => {
    await insert(
      5,
      Array.from({ length: 105 }, () => ({ status: "pending" as const, at: "2025-07-10T12:00:00Z" })),
    )
    const day = { dateFrom: "2025-07-10", dateTo: "2025-07-10" }
    expect((await list(day)).data.transactions).toHaveLength(100)
    expect((await list({ ...day, limit: 5_000 })).data.transactions).toHaveLength(105)
    expect((await list({ ...day, page: 2 })).data.transactions).toHaveLength(5)
  })
})

describe("one transaction", () => {
  const one = async (id: string) => site.call("GET", `${url}/${id}`, { token: admin })

  test("an open one has been created and, since its code was shown, can be paid", async () => {
    const [id = ""] = await insert(6, [{ status: "pending", at: "2025-08-10T12:00:00Z" }])
    await site.db
      .updateTable("charges")
      .set({ opened_at: new Date("2025-08-10T12:00:01Z") })
      .where("id", "=", id)
      .execute()
    const { transaction } = (await one(id)).json.data
    expect(transaction).toMatchObject({ _id: id, status: "pending", user: { name: "Vendedor 6" }, ledger: [] })
    expect(transaction.timeline).toEqual([
      { event: "created", label: "Criada", at: "2025-08-10T12:00:00.000Z" },
      { event: "code_shown", label: "Código Pix exibido", at: "2025-08-10T12:00:01.000Z" },
    ])
  })

  test("one that expired says when", async () => {
    const [id = ""] = await insert(6, [{ status: "expired", at: "2025-08-11T12:00:00Z" }])
    await asOwner(site.database, `update charges set expires_at = '2025-08-11T13:00:00Z' where id = '${id}'`)
    expect((await one(id)).json.data.transaction.timeline.at(-1)).toEqual({
      event: "expired",
      label: "Expirada",
      at: "2025-08-11T13:00:00.000Z",
    })
  })

  test.for(["nada", "0190a000-0000-7000-8000-000000000000", "%27", "..%2f"])("%s isn't found", async (id) => {
    const reply = await one(id)
    expect([reply.status, reply.json.code]).toEqual([404, "transaction_not_found"])
  })

  test("what is still being created isn't there", async () => {
    const [id = ""] = await insert(6, [{ status: "creating", at: "2025-08-12T12:00:00Z" }])
    expect((await one(id)).status).toBe(404)
  })
})

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { bookPayments } from "#money/payments/book"
import { openEdgeWorld, type WorldUser } from "../../../test-support/edge-world.ts"
import { insertApiKey } from "../../../test-support/insert-api-key.ts"
import { numberAllEvents } from "../../../test-support/number-all-events.ts"
import { parseCsv } from "../../../test-support/parse-csv.ts"
import { downloadXlsx } from "../../../test-support/read-xlsx.ts"
import { receiptOf } from "../../../test-support/sandbox.ts"

let seller: WorldUser

const world = await openEdgeWorld()
seller = await world.user()

afterAll(() => world.close())

const call = (method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE", url: string, body?: unknown, headers = {}) =>
  world.call(method, url, { token: seller.token, headers, ...(body !== undefined && { body }) })
const charge = (body: object, headers = {}) => call("POST", "/api/v1/charges", { amount: 50, ...body }, headers)
const page = (body: object) =>
  call("POST", "/api/v1/checkout/pages", { title: "Curso", slug: "curso", amount: 50, ...body })
const idOf = async (made: ReturnType<typeof page>): Promise<string> => (await made).json.data.checkoutPage._id

async function pay(chargeId: string): Promise<void> {
  const { txid } = await world.db
    .selectFrom("charges")
    .select("txid")
    .where("id", "=", chargeId)
    .executeTakeFirstOrThrow()
  await bookPayments(world, [receiptOf(txid, 5_000)])
}

const pairs = { loja: "Centro", cupom: "BEMVINDA" }

describe("POST charges", () => {
  test("answers code, picture and addresses in one call, which work without a session", async () => {
    const { status, json } = await charge({
      ...{ externalReference: " pedido-1 ", metadata: pairs, description: "Camiseta" },
      ...{ payer: { name: "Bruno", cpf: "529.982.247-25" }, expiresInHours: 2 },
    })
    expect(status).toBe(201)
    const made = json.data.charge
    const soon = new Date(world.clock.now().getTime() + 2 * 3_600_000).toISOString()
    expect(made).toMatchObject({
      ...{ externalReference: "pedido-1", metadata: pairs, returnUrl: null, amount: 50, status: "pendente" },
      ...{ description: "Camiseta", expiresAt: soon, pixCode: expect.stringContaining("540550.00") },
    })
    const path = (url: string) => url.replace(/^https?:\/\/[^/]+/, "")
    const image = await world.call("GET", path(made.imageUrl))
    expect(image).toMatchObject({ status: 200, headers: { "content-type": "image/png" } })
    expect(image.headers["cross-origin-resource-policy"]).toBe("cross-origin")
    expect((await world.call("GET", path(made.statusUrl))).json.data).toEqual({ status: "pendente" })
    expect((await world.call("GET", path(made.checkoutUrl))).status).toBe(200)
    const { transaction } = (await call("GET", `/api/v1/payments/transactions/${made._id}`)).json.data
    expect(transaction).toMatchObject({
      ...{ externalReference: "pedido-1", customerInfo: { name: "Bruno", cpf: "52998224725" } },
      metadata: { order: pairs, late: false, duplicate: false },
    })
    await pay(made._id)
    expect((await world.call("GET", path(made.statusUrl))).json.data).toEqual({ status: "pago" })
    expect((await world.call("GET", path(made.imageUrl))).status).toBe(404)
  })

  test("is for keys that may write pages, and repeats its first answer under an Idempotency-Key", async () => {
    const { key } = await insertApiKey(world.db, seller.id, { scopes: ["pages:write"] })
    const again = {
      token: key,
      headers: { "idempotency-key": "uma-vez" },
      body: { amount: 20, externalReference: "K" },
    }
    const [first, second] = await Promise.all([1, 2].map(() => world.call("POST", "/api/v1/charges", again)))
    expect([first?.status, second?.status]).toEqual([201, 201])
    expect(second?.json).toEqual(first?.json)
    const other = await world.call("POST", "/api/v1/charges", { ...again, body: { amount: 21 } })
    expect(other).toMatchObject({ status: 422, json: { code: "idempotency_key_reused" } })
  })

  test("a reference that the seller has already is 409, on a charge and on a page", async () => {
    const taken = { status: 409, json: { code: "external_reference_taken", errors: [{ path: "externalReference" }] } }
    expect(await charge({ externalReference: "pedido-1" })).toMatchObject(taken)
    expect(await page({ externalReference: "pedido-1" })).toMatchObject(taken)
    const id = await idOf(page({ externalReference: "pedido-2" }))
    expect(await call("PATCH", `/api/v1/checkout/pages/${id}`, { externalReference: "pedido-1" })).toMatchObject(taken)
  })

  test.each([
    ["externalReference", { externalReference: "x".repeat(101) }],
    ["externalReference", { externalReference: "a\u0007b" }],
    ["metadata", { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, "v"])) }],
    ["metadata.k", { metadata: { k: "x".repeat(501) } }],
    ["metadata.k", { metadata: { k: 7 } }],
    ["metadata", { metadata: ["a"] }],
    ["returnUrl", { returnUrl: "javascript:alert(1)" }],
    ["returnUrl", { returnUrl: "https://ana:senha@loja.example/x" }],
    ["returnUrl", { returnUrl: "https://loja.example/x" }],
    ["expiresAt", { expiresAt: "amanhã" }],
    ["expiresAt", { expiresInHours: 1, expiresAt: "2099-01-01T00:00:00Z" }],
    ["expiresInHours", { expiresInHours: 0 }],
    ["amount", { amount: 0.5 }],
    ["payer.cpf", { payer: { cpf: "111" } }],
  ])("bad input is refused next to its field: %s %#", async (path, body) => {
    const { status, json } = await charge(body)
    expect({ status, errors: json.errors }).toMatchObject({
      status: expect.toSatisfy((code) => code === 400 || code === 422),
      errors: [{ path, message: expect.stringMatching(/\S/) }],
    })
  })

  test("the widest pairs that are allowed are kept as they were sent", async () => {
    const most = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}`.padStart(40, "k"), "ç".repeat(500)]))
    expect((await charge({ metadata: most })).json.data.charge.metadata).toEqual(most)
  })
})

describe("a page's order", () => {
  test("is shown to its owner, changed in parts, and removed by null", async () => {
    const order = { externalReference: "A-1", metadata: pairs }
    const id = await idOf(page(order))
    const read = async () => (await call("GET", `/api/v1/checkout/pages/${id}`)).json.data.checkoutPage
    expect(await read()).toMatchObject({ ...order, returnUrl: null, kind: "page" })
    await call("PATCH", `/api/v1/checkout/pages/${id}`, { title: "Outro curso" })
    expect(await read()).toMatchObject({ ...order, title: "Outro curso" })
    await call("PATCH", `/api/v1/checkout/pages/${id}`, { metadata: { so: "esta" } })
    expect(await read()).toMatchObject({ externalReference: "A-1", metadata: { so: "esta" } })
    await call("PATCH", `/api/v1/checkout/pages/${id}`, { externalReference: null, metadata: null })
    expect(await read()).toMatchObject({ externalReference: null, metadata: {} })
    expect((await page({ externalReference: "A-1" })).status).toBe(201)
  })

  test("is no matter of the public", async () => {
    const made = (await page({ externalReference: "segredo-77", metadata: pairs })).json.data.checkoutPage
    expect((await world.call("GET", `/api/v1/checkout/pages/${made.slug}`)).text).not.toMatch(/segredo-77|BEMVINDA/)
    expect((await world.call("GET", `/checkout/${made.slug}`)).text).not.toMatch(/segredo-77|BEMVINDA/)
  })

  test("two pages that want one reference at once: one gets it", async () => {
    const ids = await Promise.all([1, 2, 3].map(() => idOf(page({}))))
    const sent = { externalReference: "disputada" }
    const replies = await Promise.all(ids.map((id) => call("PATCH", `/api/v1/checkout/pages/${id}`, sent)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })
})

test("events tell the order: a page's as it was, a transaction's with its reference", async () => {
  seller = await world.user()
  const id = await idOf(page({ externalReference: "E-1", metadata: pairs }))
  await call("PATCH", `/api/v1/checkout/pages/${id}`, { externalReference: "E-2", metadata: null })
  const single = (await charge({ externalReference: "E-3", metadata: pairs })).json.data.charge
  await pay(single._id)
  await numberAllEvents(world.db)
  const { events } = (await call("GET", "/api/v1/events?limit=100")).json.data
  const told = events.map(({ type, data }: { type: string; data: Record<string, Record<string, unknown>> }) => {
    const [subject = {}] = Object.values(data)
    const { order = subject["metadata"] } = (subject["metadata"] ?? {}) as { order?: unknown }
    return [type, subject["externalReference"], order]
  })
  expect(told).toEqual([
    ["page.created", "E-1", pairs],
    ["page.updated", "E-2", {}],
    ["page.created", "E-3", pairs],
    ["charge.created", "E-3", pairs],
    ["charge.paid", "E-3", pairs],
    ["page.completed", "E-3", pairs],
  ])
})

describe("lists", () => {
  let single: string

  beforeAll(async () => {
    seller = await world.user()
    await page({ title: "Mentoria", externalReference: "LOJA/2026.42" })
    single = (await charge({ externalReference: "Ítem-açaí", metadata: pairs })).json.data.charge._id
    await charge({})
    await pay(single)
  })

  test("tell pages from single charges", async () => {
    const titles = async (query: string) => {
      const { results, data } = (await call("GET", `/api/v1/checkout/pages?${query}`)).json
      return { results, titles: data.checkoutPages.map(({ title }: { title: string }) => title) }
    }
    expect(await titles("kind=page")).toEqual({ results: 1, titles: ["Mentoria"] })
    expect(await titles("kind=single")).toEqual({ results: 2, titles: ["Cobrança avulsa", "Pedido Ítem-açaí"] })
    expect(await titles("kind=single&status=completed")).toEqual({ results: 1, titles: ["Pedido Ítem-açaí"] })
    expect((await titles("")).results).toBe(3)
    expect((await call("GET", "/api/v1/checkout/pages?kind=x")).status).toBe(400)
  })

  test.each(["item-acai", "ÍTEM-AÇ", "em-aça"])("the seller's and the admin's searches find '%s'", async (words) => {
    const admin = await world.user("admin")
    const q = encodeURIComponent(words)
    const ofAdmin = (url: string) => world.call("GET", url, { token: admin.token })
    for (const reply of [
      await call("GET", `/api/v1/payments/transactions?search=${q}`),
      await ofAdmin(`/api/v1/admin/transactions?search=${q}`),
      await call("GET", `/api/v1/search?q=${q}`),
      await ofAdmin(`/api/v1/admin/search?q=${q}`),
    ]) {
      expect(reply.json.data.transactions.map(({ _id }: { _id: string }) => _id)).toEqual([single])
    }
    const pages = await call("GET", `/api/v1/checkout/pages?search=${q}`)
    expect(pages.json.data.checkoutPages).toHaveLength(1)
    expect((await ofAdmin(`/api/v1/admin/checkout-pages?search=${q}`)).json.data.checkouts).toHaveLength(1)
  })

  describe("by an exact reference", () => {
    const found = async (reference: string, more = "") => {
      const query = `externalReference=${encodeURIComponent(reference)}${more}`
      const [transactions, pages] = await Promise.all([
        call("GET", `/api/v1/payments/transactions?${query}`),
        call("GET", `/api/v1/checkout/pages?${query}`),
      ])
      return {
        transactions: transactions.json.data.transactions.map(({ _id }: { _id: string }) => _id),
        summary: transactions.json.data.summary,
        pages: pages.json.data.checkoutPages.map(
          ({ externalReference }: { externalReference: string }) => externalReference,
        ),
        results: [transactions.json.results, pages.json.results],
      }
    }

    test("lists hold that order alone, with its totals, together with the other filters", async () => {
      const order = { transactions: [single], pages: ["Ítem-açaí"], results: [1, 1] }
      expect(await found(" Ítem-açaí ")).toMatchObject({
        ...order,
        summary: { count: 1, exact: true, totalGross: 50, paidCount: 1, pendingCount: 0 },
      })
      expect(await found("Ítem-açaí", "&search=acai")).toMatchObject(order)
      expect(await found("Ítem-açaí", "&dateTo=2000-01-01")).toMatchObject({
        transactions: [],
        pages: [],
        results: [0, 0],
      })
      expect(await found("LOJA/2026.42")).toMatchObject({ transactions: [], pages: ["LOJA/2026.42"], results: [0, 1] })
    })

    test("lists keep to the other filters: a status", async () => {
      const url = `/api/v1/payments/transactions?externalReference=${encodeURIComponent("Ítem-açaí")}&status=`
      const counts = await Promise.all(
        ["pago", "pendente"].map(async (word) => (await call("GET", url + word)).json.results),
      )
      expect(counts).toEqual([1, 0])
    })

    test.each(["item-acai", "Ítem-aça", "nada"])("'%s' is no reference of the seller's", async (reference) => {
      expect(await found(reference)).toMatchObject({
        transactions: [],
        pages: [],
        results: [0, 0],
        summary: { count: 0 },
      })
    })

    test("another seller's reference is nobody else's, and none is none", async () => {
      const rival = await world.user()
      for (const path of ["payments/transactions", "checkout/pages"]) {
        const url = `/api/v1/${path}?externalReference=`
        const ofRival = await world.call("GET", `${url}LOJA/2026.42`, { token: rival.token })
        expect([ofRival.status, ofRival.json.results]).toEqual([200, 0])
        expect(await call("GET", url)).toMatchObject({ status: 400, json: { errors: [{ path: "externalReference" }] } })
      }
    })
  })

  test("the transactions of one page are listed by its id, to its owner alone", async () => {
    const query = `externalReference=${encodeURIComponent("Ítem-açaí")}`
    const { json } = await call("GET", `/api/v1/payments/transactions?${query}`)
    const [transaction] = json.data.transactions
    const url = `/api/v1/payments/transactions?checkoutPage=${transaction.checkoutPage._id}`
    const ofPage = await call("GET", url)
    expect(ofPage.json).toMatchObject({ results: 1, data: { transactions: [{ _id: transaction._id }] } })
    expect((await call("GET", `${url}&status=pendente`)).json.results).toBe(0)
    const rival = await world.user()
    expect((await world.call("GET", url, { token: rival.token })).json.results).toBe(0)
    expect((await call("GET", "/api/v1/payments/transactions?checkoutPage=x")).status).toBe(400)
  })

  test("another seller's search finds nothing of it", async () => {
    const rival = await world.user()
    const found = await world.call("GET", "/api/v1/payments/transactions?search=item-acai", { token: rival.token })
    expect(found.json.data.transactions).toEqual([])
  })

  test("both exports end with the reference", async () => {
    const admin = await world.user("admin")
    const files = [
      await call("GET", "/api/v1/payments/transactions/export?status=pago"),
      await world.call("GET", "/api/v1/admin/transactions/export?status=approved&search=item-acai", {
        token: admin.token,
      }),
    ]
    for (const file of files) {
      const [row] = parseCsv(file.text)
      expect(Object.entries(row ?? {}).at(-1)).toEqual(["Referência", "Ítem-açaí"])
    }
  })

  test.for(["000123", "20261127000000000001", "03/04", "12E5", "1,5", "+55", "=1+1", "_x0041_"])(
    "the reference %s comes back letter by letter from both workbooks",
    async (reference) => {
      const admin = await world.user("admin")
      const made = await charge({ externalReference: reference, description: "0042" })
      await pay(made.json.data.charge._id)
      const search = `search=${encodeURIComponent(reference)}&format=xlsx`
      const files = [
        await downloadXlsx(world.app, `/api/v1/payments/transactions/export?${search}`, seller.token),
        await downloadXlsx(world.app, `/api/v1/admin/transactions/export?${search}`, admin.token),
      ]
      for (const { type, name, rows } of files) {
        expect(type).toBe("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
        expect(name).toMatch(/filename="transacoes_\d{4}-\d\d-\d\d\.xlsx"/)
        expect(rows).toContainEqual(
          expect.objectContaining({
            ...{ Referência: reference, Descrição: "0042", "Página de cobrança": "0042", "Valor bruto (R$)": 50 },
            ...{ Status: expect.stringMatching(/^(Pago|Aprovado)$/), "ID da transação": made.json.data.charge._id },
          }),
        )
      }
    },
  )
})

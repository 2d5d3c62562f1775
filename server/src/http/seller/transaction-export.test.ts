import { once } from "node:events"
import { connect } from "node:net"
import { buffer } from "node:stream/consumers"
import pg from "pg"
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { createLog } from "#kit/log"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { insertLongCharges } from "../../../test-support/insert-long-charges.ts"
import { parseCsv } from "../../../test-support/parse-csv.ts"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"

interface Seller {
  sellerId: string
  pageId: string
  token: string
}

let site: TestApp
let owner: pg.Client
let address: string
let ana: Seller
let number = 0
const logged: string[] = []

beforeAll(async () => {
  site = await openTestApp({ log: createLog("info", { write: (line) => void logged.push(line) }) })
  owner = new pg.Client({ connectionString: site.database.url })
  await owner.connect()
  address = await site.app.listen({ host: "127.0.0.1", port: 0 })
  ana = await newSeller()
})

afterAll(async () => {
  await owner.end()
  // Clients keep connections open, even unused ones.
  site.app.server.closeAllConnections()
  await site.close()
})

afterEach(async () => {
  await eventually(async () => expect(await runningExports()).toBe(0))
})

async function newSeller(): Promise<Seller> {
  number += 1
  const token = await site.signUp(`vendedor${number}@loja.example`)
  const sellerId: string = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
  const page = { title: "Mentoria", slug: "mentoria", amount: 10 }
  const created = await site.call("POST", "/api/v1/checkout/pages", { token, body: page })
  return { token, sellerId, pageId: created.json.data.checkoutPage._id }
}

const url = "/api/v1/payments/transactions/export"
const exported = (query = "", { token } = ana) => site.call("GET", url + query, { token })
const rowsOf = async (query = "", seller = ana) => parseCsv((await exported(query, seller)).text)
const download = (token: string, signal?: AbortSignal) =>
  fetch(address + url, { headers: { authorization: `Bearer ${token}` }, ...(signal && { signal }) })

const eventually = (assertion: () => Promise<void>) => vi.waitFor(assertion, { timeout: 25_000, interval: 50 })

async function runningExports(): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'tilinta exports' and state = 'active'`,
  )
  return rows[0]?.count ?? 0
}

describe("the file", () => {
  test("has the day of São Paulo in its name, and is uncacheable", async () => {
    const reply = await exported()
    expect(reply.status).toBe(200)
    expect(reply.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="transacoes_2026-11-21.csv"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    })
  })

  test("of nothing has its header", async () => {
    const nobody = await newSeller()
    expect((await exported("", nobody)).text).toBe(
      "\ufeffData;Descrição;Página de cobrança;Cliente;E-mail do cliente;CPF ou CNPJ do cliente;Telefone do cliente;Valor bruto (R$);Taxa (R$);Valor líquido (R$);Estornado (R$);Status;Método;Pago em;ID da transação;txid;ID do Pix;Referência\r\n",
    )
  })

  test("has amounts with a comma, moments of São Paulo and words that people read, newest first", async () => {
    const seller = await newSeller()
    const paid = { status: "paid", at: "2026-11-01T02:05:00Z", amountCents: 123_456 } as const
    const payer = {
      payerName: "José",
      payerEmail: "jose@exemplo.com",
      payerDocument: "05299822472",
      payerPhone: "11987654321",
    }
    const id = await insertCharge(site.db, { ...seller, ...paid, ...payer })
    const over = { status: "pending", at: "2026-11-02T12:00:00Z", expiresAt: new Date("2026-11-03T12:00:00Z") } as const
    await insertCharge(site.db, { ...seller, ...over, amountCents: 5, payerDocument: "12ABC34501DE35" })
    const [newest, oldest, ...others] = await rowsOf("", seller)
    expect(others).toEqual([])
    expect(newest).toMatchObject({ "Valor bruto (R$)": "0,05", Status: "Expirado", "Pago em": "", Cliente: "" })
    expect(newest).toMatchObject({
      "Valor líquido (R$)": "",
      "Telefone do cliente": "",
      "CPF ou CNPJ do cliente": "12.ABC.345/01DE-35",
    })
    expect(oldest).toEqual({
      Data: "31/10/2026 23:05",
      Descrição: "Mentoria",
      "Página de cobrança": "Mentoria",
      Cliente: "José",
      "E-mail do cliente": "jose@exemplo.com",
      "CPF ou CNPJ do cliente": "052.998.224-72",
      "Telefone do cliente": "(11) 98765-4321",
      "Valor bruto (R$)": "1234,56",
      "Taxa (R$)": "185,18",
      "Valor líquido (R$)": "1049,38",
      "Estornado (R$)": "0,00",
      Status: "Pago",
      Método: "PIX",
      "Pago em": "31/10/2026 23:05",
      "ID da transação": id,
      txid: expect.stringMatching(/^\w{32}$/),
      "ID do Pix": "",
      Referência: "",
    })
  })

  test("E01: what strangers typed is text, for a spreadsheet too", async () => {
    const seller = await newSeller()
    const formulas = ["=1+1", "+55", "-Ana", "@soma", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠1"]
    const harmless = ['diz "oi"; e\r\nsai', "a=b", " ", "ação", "'", "1.234,5"]
    const texts = [...formulas, ...harmless]
    for (const [index, text] of texts.entries()) {
      const at = new Date(Date.UTC(2026, 10, 1, 12, texts.length - index)).toISOString()
      const typed = { description: text, pageTitle: text, payerName: text }
      await insertCharge(site.db, { ...seller, ...typed, at, status: "paid" })
    }
    const rows = await rowsOf("", seller)
    const expected = [...formulas.map((text) => `'${text}`), ...harmless]
    for (const column of ["Descrição", "Página de cobrança", "Cliente"]) {
      expect(rows.map((row) => row[column])).toEqual(expected)
    }
    expect(new Set(rows.map((row) => row["Valor bruto (R$)"]))).toEqual(new Set(["10,00"]))
  })
})

test("a row that isn't paid has no net, whatever its status; refunded ones were paid", async () => {
  const seller = await newSeller()
  const statuses = ["pending", "paid", "expired", "cancelled", "failed", "refunded"] as const
  for (const status of statuses) await insertCharge(site.db, { ...seller, status, at: "2026-11-21T11:59:00Z" })
  const rows = await rowsOf("", seller)
  const nets = new Map(rows.map((row) => [row["Status"], row["Valor líquido (R$)"]]))
  expect(nets).toEqual(
    new Map([
      ["Pendente", ""],
      ["Pago", "8,50"],
      ["Expirado", ""],
      ["Cancelado", ""],
      ["Recusado", ""],
      ["Estornado", "8,50"],
    ]),
  )
})

describe("what it holds", () => {
  test("is exactly what the list finds by the same filters", async () => {
    const seller = await newSeller()
    const other = await newSeller()
    for (const each of [seller, other]) {
      await insertCharge(site.db, { ...each, at: "2026-11-01T02:30:00Z", status: "paid", payerName: "José" })
      await insertCharge(site.db, { ...each, at: "2026-11-01T03:30:00Z", status: "pending" })
      await insertCharge(site.db, { ...each, at: "2026-11-05T12:00:00Z", status: "failed" })
    }
    const counts: number[] = []
    const queries = ["", "status=pago", "status=recusado", "search=jose", "search=%25", "search=%27%20or%201%3D1%20--"]
    const periods = [
      "dateTo=2026-10-31",
      "startDate=2026-11-01&endDate=2026-11-01",
      "status=pendente&dateFrom=2026-11-02",
    ]
    for (const query of [...queries, ...periods, "status=pago&limit=1&page=7"]) {
      const rows = await rowsOf(`?${query}`, seller)
      const filters = query.replace("&limit=1&page=7", "")
      const list = await site.call("GET", `/api/v1/payments/transactions?${filters}`, { token: seller.token })
      const ids = list.json.data.transactions.map(({ _id }: { _id: string }) => _id)
      expect({ query, ids: rows.map((row) => row["ID da transação"]) }).toEqual({ query, ids })
      counts.push(rows.length)
    }
    expect(counts).toEqual([3, 1, 1, 1, 0, 0, 1, 1, 0, 1])
  })

  test("of one page are that page's, as in the list, and none of a page that isn't the seller's", async () => {
    const [seller, other] = [await newSeller(), await newSeller()]
    const body = { title: "Curso", slug: "curso", amount: 10 }
    const created = await site.call("POST", "/api/v1/checkout/pages", { token: seller.token, body })
    const second = { ...seller, pageId: created.json.data.checkoutPage._id }
    for (const [each, payerName] of [
      [seller, "Ana"],
      [second, "Bia"],
      [other, "Caio"],
    ] as const) {
      await insertCharge(site.db, { ...each, at: "2026-11-01T12:00:00Z", status: "paid", payerName })
    }
    const clients = async (query: string) => (await rowsOf(`?${query}`, seller)).map((row) => row["Cliente"])
    expect(await clients(`checkoutPage=${seller.pageId}`)).toEqual(["Ana"])
    expect(await clients(`checkoutPage=${seller.pageId}&status=pago`)).toEqual(["Ana"])
    expect(await clients(`checkoutPage=${seller.pageId}&status=recusado`)).toEqual([])
    expect(await clients(`checkoutPage=${other.pageId}`)).toEqual([])
    expect(await clients("externalReference=nenhum")).toEqual([])
    expect((await exported("?checkoutPage=x", seller)).status).toBe(400)
  })

  test.for(["?status=nada", "?dateFrom=ontem", "?dateFrom=2026-11-22&dateTo=2026-11-21"])(
    "%s is refused",
    async (query) => {
      const reply = await exported(query)
      expect([reply.status, reply.headers["content-disposition"]]).toEqual([400, undefined])
    },
  )

  test("an export needs a session, and a HEAD request makes no file", async () => {
    expect((await site.call("GET", url)).status).toBe(401)
    const { status, headers, text } = await site.call("HEAD", url, { token: ana.token })
    expect([status, headers["content-type"], text]).toEqual([200, "text/csv; charset=utf-8", ""])
    const records = await site.db
      .selectFrom("audit_records")
      .select("id")
      .where("actor_id", "=", ana.sellerId)
      .execute()
    const again = await site.call("HEAD", url, { token: ana.token })
    expect(again.status).toBe(200)
    const later = await site.db.selectFrom("audit_records").select("id").where("actor_id", "=", ana.sellerId).execute()
    expect(later).toEqual(records)
  })
})

test("every export is audited with its actor and address", async () => {
  const seller = await newSeller()
  const reply = await site.call("GET", `${url}?status=pago&search=jos%C3%A9`, {
    token: seller.token,
    from: "203.0.113.7",
  })
  expect(reply.status).toBe(200)
  const records = await site.db
    .selectFrom("audit_records")
    .selectAll()
    .where("actor_id", "=", seller.sellerId)
    .where("entity", "=", "export")
    .execute()
  expect(records).toMatchObject([
    {
      actor_address: "203.0.113.7",
      action: "charges.exported",
      entity: "export",
      after: { sellerId: seller.sellerId, statuses: ["paid"], search: "josé" },
    },
  ])
})

describe("many at once, and in trouble", () => {
  let heavy: Seller

  beforeAll(async () => {
    heavy = await newSeller()
    await insertLongCharges(site.database, { ...heavy, count: 6_000 })
  })

  test("two exports at once are both whole", async () => {
    const replies = await Promise.all([download(heavy.token), download(heavy.token)])
    const files = await Promise.all(replies.map(async (reply) => Buffer.from(await reply.arrayBuffer()).toString()))
    expect(files.map((file) => parseCsv(file).length)).toEqual([6_000, 6_000])
  })

  test("E02: a third export is refused at once with Retry-After; an aborted one frees its slot", async () => {
    const leaving = new AbortController()
    const [first, second] = await Promise.all([download(heavy.token, leaving.signal), download(heavy.token)])
    const third = await download(heavy.token)
    expect([third.status, third.headers.get("retry-after"), third.headers.get("content-disposition")]).toEqual([
      ...[429, "10", null],
    ])
    expect(await third.json()).toEqual({
      status: "fail",
      code: "too_many_exports",
      message: "Há exportações demais em andamento. Aguarde um instante e tente novamente.",
    })
    expect((await download(ana.token)).status).toBe(200)

    leaving.abort()
    await expect(first?.arrayBuffer()).rejects.toThrow("abort")
    await eventually(async () => {
      const next = await download(heavy.token)
      await next.arrayBuffer()
      expect(next.status).toBe(200)
    })
    expect(parseCsv(Buffer.from((await second?.arrayBuffer()) ?? []).toString())).toHaveLength(6_000)
  })

  test("requests are served while exports wait for their readers", async () => {
    const replies = await Promise.all([download(heavy.token), download(heavy.token)])
    expect((await site.call("GET", "/api/v1/users/me", { token: ana.token })).status).toBe(200)
    for (const reply of replies) await reply.body?.cancel()
  })

  test("what breaks in the middle never looks whole", async () => {
    const reply = await download(heavy.token)
    await eventually(async () => expect(await runningExports()).toBe(1))
    await endExports()
    await expect(reply.arrayBuffer()).rejects.toThrow("terminated")
  })

  test("nor does it for a proxy that knows no chunks", async () => {
    const { hostname, port } = new URL(address)
    const socket = connect(Number(port), hostname)
    socket.write(`GET ${url} HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer ${heavy.token}\r\n\r\n`)
    // Before its first byte it would be an ordinary failure.
    await once(socket, "readable")
    await eventually(async () => expect(await runningExports()).toBe(1))
    await endExports()
    await expect(buffer(socket)).rejects.toMatchObject({ code: "ECONNRESET" })
  })

  test("what fails before its first byte is an ordinary failure", async () => {
    // The activity is read on another connection, because within a transaction it is a snapshot.
    const locking = new pg.Client({ connectionString: site.database.url })
    await locking.connect()
    await locking.query("begin; lock table charges in access exclusive mode")
    const waiting = download(heavy.token)
    await eventually(async () => expect(await runningExports()).toBe(1))
    await endExports()
    const reply = await waiting
    await locking.end()
    expect([reply.status, reply.headers.get("content-disposition")]).toEqual([503, null])
    expect(await reply.json()).toMatchObject({ status: "error", code: "service_unavailable" })
  })

  test("a client that leaves before the first byte is no failure", async () => {
    const locking = new pg.Client({ connectionString: site.database.url })
    await locking.connect()
    await locking.query("begin; lock table charges in access exclusive mode")
    const leaving = new AbortController()
    const asked = download(heavy.token, leaving.signal).catch(() => "left")
    await eventually(async () => expect(await runningExports()).toBe(1))
    logged.length = 0
    leaving.abort()
    expect(await asked).toBe("left")
    await eventually(async () => expect(await runningExports()).toBe(0))
    await locking.end()
    expect((await exported()).status).toBe(200)
    expect(logged.filter((line) => /"level":"(error|warn)"/.test(line))).toEqual([])
  })

  async function endExports(): Promise<void> {
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'tilinta exports'`,
    )
  }
})

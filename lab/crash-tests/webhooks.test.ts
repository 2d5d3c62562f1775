import { setTimeout as sleep } from "node:timers/promises"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, expect, test } from "vitest"
import { embeddedUrl, query, readBookedPayments } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import {
  type Answer,
  type BankReceipt,
  createPix,
  netOf,
  openShop,
  type Pix,
  pay,
  readBalanceCents,
  readStatus,
  type Shop,
  send,
  sendJson,
  setFaults,
} from "./shop.ts"

let workshop: Workshop
let server: ServerProcess
let databaseUrl: string
let webhookUrl: string
let shop: Shop
let untold: { pix: Pix; receipt: BankReceipt; paidAt: number }

beforeAll(async () => {
  workshop = await openWorkshop()
  server = await workshop.startServer({ dataDir: await workshop.newFolder() })
  databaseUrl = await embeddedUrl(server.dataDir)
  const [connection] = await query<{ provider: string; webhook_secret: string }>(
    databaseUrl,
    "select provider, webhook_secret from psp_connections",
  )
  webhookUrl = `${server.url}/webhooks/${connection?.provider}/${connection?.webhook_secret}`
  shop = await openShop(server.url, { reais: 100 })
  await setFaults(server.url, { webhooksAtivos: false })
  const pix = await createPix(server.url, await openShop(server.url))
  untold = { pix, receipt: await pay(server.url, pix), paidAt: performance.now() }
})

afterAll(() => workshop.close())

async function countStored(): Promise<number> {
  const [row] = await query<{ stored: number }>(
    databaseUrl,
    "select coalesce(sum(cardinality(lengths)), 0)::int as stored from psp_inbox",
  )
  return row?.stored ?? 0
}

async function untilWorkedOff(): Promise<void> {
  await eventually(
    () => query(databaseUrl, "select id from psp_inbox where processed_at is null"),
    (waiting) => waiting.length === 0,
  )
}

function tell(body: unknown, path = "/pix"): Promise<Answer> {
  return sendJson(webhookUrl + path, "POST", body)
}

/** Nested deeper than any real message, and invalid UTF-8. */
const unreadable = [
  Buffer.from("[".repeat(10_000) + "]".repeat(10_000)),
  Buffer.from('{"pix":[{"endToEndId":"\xff"}]}', "latin1"),
]

function tellRaw(body: Buffer<ArrayBuffer>): Promise<Answer> {
  return send(`${webhookUrl}/pix`, { method: "POST", headers: { "content-type": "application/json" }, body })
}

function webhookOf({ endToEndId, txid }: BankReceipt, valor = "100.00"): object {
  return { pix: [{ endToEndId, txid, valor, horario: new Date().toISOString() }] }
}

test("the same webhook a hundred times, one after another and all at once, credits once", async () => {
  const before = await readBalanceCents(server.url, shop)
  const pix = await createPix(server.url, shop)
  const receipt = await pay(server.url, pix)
  const storedBefore = await countStored()
  const atOnce = await Promise.all(Array.from({ length: 100 }, () => tell(webhookOf(receipt))))
  for (let time = 0; time < 20; time += 1) atOnce.push(await tell(webhookOf(receipt), ""))
  expect(new Set(atOnce.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await countStored()).toBe(storedBefore + 120)

  await untilWorkedOff()
  expect(await readStatus(server.url, pix)).toBe("pago")
  expect(await readBalanceCents(server.url, shop)).toBe(before + netOf(10_000))
  expect((await readBookedPayments(databaseUrl)).get(receipt.endToEndId)).toEqual({ times: 1, as: "credited" })
})

test("H06: of three in one body the valid is credited, the stranger waits, the repeated is one; either address", async () => {
  for (const [path, wrap] of [
    ["/pix", (pix: object[]) => pix],
    ["", (pix: object[]) => ({ pix })],
  ] as const) {
    const before = await readBalanceCents(server.url, shop)
    const receipt = await pay(server.url, await createPix(server.url, shop))
    const wish = { valor: "7.00", txid: "a".repeat(30) }
    const stray = await sendJson(`${server.url}/simulador/api/recebimentos`, "POST", wish)
    const ids = [receipt.endToEndId, String(stray.body["endToEndId"]), receipt.endToEndId]
    const told = [null, ...ids.map((endToEndId) => ({ endToEndId })), { endToEndId: 7 }]
    expect(await tell(wrap(told as object[]), path)).toMatchObject({ status: 200 })
    await untilWorkedOff()
    expect(await readBalanceCents(server.url, shop)).toBe(before + netOf(10_000))
    const booked = await readBookedPayments(databaseUrl)
    expect(ids.map((id) => booked.get(id)?.as)).toEqual(["credited", "suspense", "credited"])
    expect(ids.map((id) => booked.get(id)?.times)).toEqual([1, 1, 1])
  }
})

test("H11: webhooks without the secret, or unreadable ones, leave nothing behind", async () => {
  const storedBefore = await countStored()
  const forged = webhookUrl.replace(/[^/]+$/, "x".repeat(32))
  const told = webhookOf({ endToEndId: "E00000000202611211400abcdefghijk", txid: "x" })
  const sendBody = (url: string, body: string) =>
    send(url, { method: "POST", headers: { "content-type": "application/json" }, body })

  expect(await sendJson(`${forged}/pix`, "POST", told)).toMatchObject({
    status: 404,
    body: { code: "route_not_found" },
  })
  expect(await sendBody(`${webhookUrl}/pix`, '{"pix":[{')).toMatchObject({
    status: 400,
    body: { code: "malformed_request" },
  })
  const large = JSON.stringify({ pix: [{ endToEndId: "E".repeat(2 * 1024 * 1024) }] })
  // The answer comes before all is sent; who is slow to read it finds the connection closed.
  const refused = await eventually(
    () => sendBody(`${webhookUrl}/pix`, large).catch(() => null),
    (answer) => answer !== null,
  )
  expect(refused).toMatchObject({ status: 413, body: { code: "payload_too_large" } })
  expect(await countStored()).toBe(storedBefore)
})

test("H12: a flood of webhooks without the secret stores nothing and delays no payment", async () => {
  const storedBefore = await countStored()
  const forged = `${webhookUrl.replace(/[^/]+$/, "x".repeat(32))}/pix`
  const body = JSON.stringify({ pix: [{ endToEndId: "E".repeat(20_000) }] })
  let isOver = false
  const statuses = new Set<number>()
  const flood = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      const headers = { "content-type": "application/json" }
      const answer = await send(forged, { method: "POST", headers, body }).catch(() => null)
      if (answer !== null) statuses.add(answer.status)
    }
  })
  const pix = await createPix(server.url, shop)
  const receipt = await pay(server.url, pix)
  for (let time = 0; time < 20; time += 1) expect(await tell(webhookOf(receipt))).toMatchObject({ status: 200 })
  await eventually(
    () => readStatus(server.url, pix),
    (status) => status === "pago",
  )
  isOver = true
  await Promise.all(flood)
  expect([...statuses]).toEqual([404])
  expect(await countStored()).toBe(storedBefore + 20)
})

test("H04, H11: a webhook about a payment that the bank doesn't know books nothing", async () => {
  const pix = await createPix(server.url, shop)
  const balance = await readBalanceCents(server.url, shop)
  const booked = await readBookedPayments(databaseUrl)
  const [charge] = await query<{ txid: string }>(databaseUrl, "select txid from charges where id = $1", [
    pix.transactionId,
  ])
  const lies = [
    webhookOf({ endToEndId: "E99999999202611211400abcdefghijk", txid: String(charge?.txid) }),
    { pix: [{ endToEndId: "../../v2/cob", txid: charge?.txid, valor: "100.00" }] },
    { pix: [null, 7, { txid: charge?.txid }] },
    { pix: "all of it" },
    "paid",
  ]
  for (const lie of lies) expect(await tell(lie)).toMatchObject({ status: 200 })
  for (const body of unreadable) expect((await tellRaw(body)).status).toBeLessThan(500)
  await untilWorkedOff()
  await sleep(200)
  expect(await readStatus(server.url, pix)).toBe("pendente")
  expect(await readBalanceCents(server.url, shop)).toBe(balance)
  // That of which no webhook tells may come meanwhile.
  const known = new Set([...booked.keys(), untold.receipt.endToEndId])
  expect([...(await readBookedPayments(databaseUrl)).keys()].filter((id) => !known.has(id))).toEqual([])
})

test("without any webhook a payment still arrives within the minute", async () => {
  await eventually(
    () => readStatus(server.url, untold.pix),
    (status) => status === "pago",
  )
  report(`without webhooks a payment was booked within ${Math.round(performance.now() - untold.paidAt)} ms`)
  const kept = await query<{ body: Buffer }>(databaseUrl, "select body from psp_inbox")
  const told = kept.map(({ body }) => gunzipSync(body).toString()).join()
  expect(told).toContain("endToEndId")
  expect(told).not.toContain(untold.receipt.endToEndId)
  expect(await workshop.verify({ dataDir: server.dataDir })).toMatchObject({ code: 0 })
})

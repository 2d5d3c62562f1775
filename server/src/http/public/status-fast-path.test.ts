import { afterAll, beforeEach, expect, test, vi } from "vitest"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import { connectSimulator } from "#psp/connect-psp"
import type { PspWebhook } from "#psp/psp"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { openCollector } from "../../../test-support/otlp-collector.ts"
import { comparable, exchange, requestText } from "../../../test-support/raw-exchange.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

let byRoute: ReturnType<typeof vi.spyOn>

const nowhere = { url: "http://127.0.0.1:9", clientId: "x", clientSecret: "x", receiverKey: "x" }
const isGenuine = ({ headers, viaTrustedProxy }: PspWebhook) => headers["x-signature"] !== "forged" && viaTrustedProxy
const psp = { ...connectSimulator(nowhere, createLog("silent")), isGenuine }
const overrides = { psp, trustedProxies: ["127.0.0.1"] }
const site = await openTestApp({ ...overrides, pressure: { level: () => "extreme" } })
const apart = await openTestApp({
  ...overrides,
  publicUrl: "https://painel.example",
  payersUrl: "https://pagar.example",
})
const [sellerId = ""] = await insertSellers(site.db, 1)
const at = "2026-11-01T00:00:00Z"
const [pageId = ""] = await insertChargePages(site.db, [{ sellerId, at }])
const one = (status: "pending" | "paid", input = {}) =>
  insertCharge(site.db, { sellerId, pageId, status, at, ...input })
const charges: Record<"pending" | "paid" | "expired", string> = {
  pending: await one("pending"),
  paid: await one("paid"),
  expired: await one("pending", { expiresAt: new Date("2026-11-02T00:00:00Z") }),
}
for (const { app } of [site, apart]) await app.listen({ host: "127.0.0.1", port: 0 })

beforeEach(() => {
  byRoute = vi.spyOn(site.app, "routing")
})

afterAll(() => Promise.all([site.close(), apart.close()]))

const poll = (id: string, query = "", headers = {}) =>
  requestText(`GET /api/v1/checkout/payment-status/${id}${query}`, headers)
const webhook = (body: string, headers = {}, { secret = "segredo", suffix = "/pix" } = {}) =>
  requestText(
    `POST /webhooks/simulator/${secret}${suffix}`,
    { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)), ...headers },
    body,
  )

test("whatever the status, a poll is answered as the route answers, also under pressure", async () => {
  for (const id of Object.values(charges)) {
    for (const query of ["", `?k=${site.payerTokens.of(id)}`]) {
      byRoute.mockClear()
      const fast = await exchange(site.app, poll(id, query))
      expect(byRoute).not.toHaveBeenCalled()
      const long = await exchange(site.app, poll(id, query, { "content-length": "0" }))
      expect(byRoute).toHaveBeenCalled()
      expect(fast).toContain("HTTP/1.1 200 OK")
      expect(comparable(fast)).toBe(comparable(long))
    }
  }
})

test("a webhook is kept as it came", async () => {
  const kept = async () => (await site.db.selectFrom("psp_inbox").selectAll().execute()).length
  const before = await kept()
  for (const suffix of ["", "/pix"]) {
    for (const type of ["application/json", "text/json"])
      expect(await exchange(site.app, webhook('{"pix":[]}', { "content-type": type }, { suffix }))).toContain("200 OK")
  }
  expect(await kept()).toBe(before + 4)
})

test.each([
  ["a payment that nobody knows", () => poll(newId()), 404],
  ["an id of another version", () => poll("00000000-0000-4000-8000-000000000000"), 404],
  ["a wrong token", () => poll(charges.paid, `?k=${"x".repeat(22)}`), 404],
  ["a token that is none", () => poll(charges.paid, "?k=x"), 404],
  ["a longer query", () => poll(charges.pending, "?k=&a=1"), 404],
  ["another id", () => poll("nada"), 404],
  ["a slash behind it", () => poll(charges.pending, "/"), 404],
  ["HEAD", () => poll(charges.pending).replace("GET", "HEAD"), 200],
  ["OPTIONS", () => poll(charges.pending).replace("GET", "OPTIONS"), 204],
  ["a wrong secret", () => webhook("{}", {}, { secret: "segredos" }), 404],
  ["a wrong secret of the same length", () => webhook("{}", {}, { secret: "segredO" }), 404],
  ["what the bank disowns", () => webhook("{}", { "x-signature": "forged" }), 401],
  ["broken JSON", () => webhook('{"pix":['), 400],
  ["nothing", () => webhook(""), 400],
  ["invalid UTF-8", () => webhook("{}").replace(/..$/, "\u00e9"), 400],
  ["a compressed body", () => webhook("nope", { "content-encoding": "gzip" }), 400],
  ["a body beyond the limit", () => webhook(`"${"a".repeat(1_048_575)}"`), 413],
])("only the route answers %s, or refuses it", async (_name, request, status) => {
  const answer = await exchange(site.app, request())
  expect(answer).toContain(`HTTP/1.1 ${status} `)
  expect(byRoute).toHaveBeenCalledTimes(1)
})

test("both ways take from one count of an address, as the proxy names it", async () => {
  const from = (address: string) => ({ "x-forwarded-for": `198.51.100.1, ${address}` })
  const statuses: string[] = []
  for (let i = 0; i < 70; i += 1) {
    const headers = { ...from("203.0.113.7"), ...(i % 2 === 0 && { "content-length": "0" }) }
    statuses.push((await exchange(site.app, poll(charges.pending, "", headers))).slice(9, 12))
  }
  expect(statuses.filter((status) => status === "429")).toHaveLength(10)
  const refused = await exchange(site.app, poll(charges.pending, "", from("203.0.113.7")))
  expect(refused).toContain("retry-after: 1\r\n")
  expect(await exchange(site.app, poll(charges.pending, "", from("203.0.113.8")))).toContain("200 OK")
})

test("with a collector of traces each of these requests is a span", async () => {
  const collector = await openCollector()
  const traced = await openTestApp({ otlp: { url: collector.url, headers: {}, service: "caixa", share: 1 } })
  await traced.app.listen({ host: "127.0.0.1", port: 0 })
  await exchange(traced.app, poll(newId()))
  await exchange(traced.app, webhook('{"pix":[]}'))
  await traced.close()
  expect(collector.spans().map(({ name }) => name)).toEqual([
    "GET /api/v1/checkout/payment-status/:transactionId",
    "POST /webhooks/simulator/:secret/pix",
  ])
})

test.each([
  ["host: pagar.example", { host: "pagar.example" }, 404],
  ["x-forwarded-host: pagar.example", { host: "x", "x-forwarded-host": "a.example, pagar.example" }, 404],
  ["host: painel.example", { host: "painel.example" }, 200],
])("webhooks are not served at the payers' host: %s", async (_name, headers, status) => {
  expect(await exchange(apart.app, webhook('{"pix":[]}', headers))).toContain(`HTTP/1.1 ${status} `)
})

import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import { afterAll, beforeEach, expect, test } from "vitest"
import type { PressureLevel } from "#kit/pressure"
import { openEdgeWorld } from "../../test-support/edge-world.ts"
import { createPage } from "../../test-support/sandbox.ts"

let level: PressureLevel = "calm"

const world = await openEdgeWorld({ pressure: { level: () => level } })
const seller = await world.user()
const admin = await world.user("admin")
const pageId = (await createPage(world, { sellerId: seller.id })).id

beforeEach(() => {
  level = "calm"
})

afterAll(() => world.close())

const reportsAndExports = [
  ["seller", "/api/v1/reports/seller"],
  ["seller", "/api/v1/payments/transactions/export"],
  ["seller", "/api/v1/payments/transactions?search=ana"],
  ["seller", "/api/v1/search?q=ana"],
  ["admin", "/api/v1/admin/reports/summary"],
  ["admin", "/api/v1/admin/reports/dashboard"],
  ["admin", "/api/v1/admin/reports/top-users"],
  ["admin", "/api/v1/admin/audit-records"],
  ["admin", "/api/v1/admin/audit-records/export"],
  ["admin", "/api/v1/admin/transactions/export"],
  ["admin", "/api/v1/admin/withdrawals/export"],
  ["admin", "/api/v1/admin/users?search=ana"],
  ["admin", "/api/v1/admin/search?q=ana"],
] as const

const screens = [
  ["seller", "/api/v1/users/me"],
  ["seller", "/api/v1/payments/transactions"],
  ["seller", "/api/v1/withdrawals?search="],
  ["admin", "/api/v1/admin/transactions"],
] as const

const statusOf = async ([who, path]: readonly ["seller" | "admin", string]) =>
  (await world.call("GET", path, { token: who === "seller" ? seller.token : admin.token })).status

const statusesOf = async (calls: readonly (readonly ["seller" | "admin", string])[]) =>
  new Set(await Promise.all(calls.map(statusOf)))

const post = (url: string, body: object) => world.call("POST", url, { body })
const webhook = () => post("/webhooks/simulator/segredo/pix", { pix: [] })
const newPix = () =>
  post("/api/v1/checkout/process-modern-pix-payment", {
    checkoutPageId: pageId,
    customerInfo: { name: "Bia", email: "bia@exemplo.com", cpf: "52998224725", phone: "11987654321" },
  })

test("N07: under pressure reports and exports go first, payers and the bank never, and all is well again after it", async () => {
  level = "busy"
  expect(await statusesOf(reportsAndExports)).toEqual(new Set([503]))
  expect(await statusesOf(screens)).toEqual(new Set([200]))

  level = "extreme"
  expect(await statusesOf([...reportsAndExports, ...screens])).toEqual(new Set([503]))
  const pix = await newPix()
  const { transactionId } = pix.json.data
  const status = await world.call("GET", `/api/v1/checkout/payment-status/${transactionId}`)
  const rest = await Promise.all(["/healthz", "/metrics", "/"].map((path) => world.call("GET", path)))
  expect([pix, status, await webhook(), ...rest].map((answer) => answer.status)).toEqual([201, 200, 200, 200, 200, 200])

  level = "calm"
  expect(await statusesOf([...reportsAndExports.filter(([, path]) => !path.endsWith("export")), ...screens])).toEqual(
    new Set([200]),
  )
  expect(await statusOf(["seller", "/api/v1/payments/transactions/export"])).toBe(200)
})

test("the refusal says in Portuguese what to do and in a header when, costs no login, and is counted", async () => {
  const countOf = async () =>
    Number(/requests_refused_total\{urgency="last"\} (\d+)/.exec((await world.call("GET", "/metrics")).text)?.[1] ?? 0)
  const before = await countOf()
  level = "busy"
  const answer = await world.call("GET", "/api/v1/admin/transactions/export")
  expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "5", "cache-control": "no-store" } })
  expect(answer.json).toEqual({ status: "error", code: "overloaded", message: errorMessages.overloaded })
  expect(await countOf()).toBe(before + 1)
})

test("the description of the API documents it where requests are shed first", async () => {
  const { paths, components } = (await world.call("GET", "/api/openapi.json")).json
  const told = (path: string) => paths[path].get.responses["503"]
  expect(told("/api/v1/admin/reports/summary")).toMatchObject({
    headers: { "Retry-After": { schema: { type: "integer" } } },
    content: { "application/json": { examples: { overloaded: { $ref: "#/components/examples/overloaded" } } } },
  })
  expect(components.examples.overloaded).toMatchObject({ value: { code: "overloaded" } })
  expect(told("/api/v1/checkout/payment-status/{transactionId}")).toBeUndefined()
})

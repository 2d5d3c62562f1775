import { readdir } from "node:fs/promises"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import type { Endpoint } from "@tilinta/contract/define-endpoint"
import { paymentStatusStream, transactionsStream } from "@tilinta/contract/events"
import { screenStream } from "@tilinta/contract/screens"
import { eventTypes } from "@tilinta/contract/vocabulary/events"
import { fileTypes } from "@tilinta/contract/vocabulary/files"
import { afterAll, expect, test } from "vitest"
import { openTestApp } from "../../test-support/test-app.ts"
import { servedRoutes } from "./serve-endpoint.ts"

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security?: object[]
  parameters?: { in: string; name: string; required?: boolean }[]
  responses: Record<string, { description: string; content?: object }>
}

interface Described {
  components: { schemas: Record<string, object> }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
}

const site = await openTestApp()
const described: Described = (await site.call("GET", "/api/openapi.json")).json
const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, Operation] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
)

afterAll(() => site.close())

test("every endpoint of the contract is served and described, and besides them only the streams of events", async () => {
  const endpoints = await contractEndpoints()
  expect(endpoints.length).toBeGreaterThan(10)
  const streams = [paymentStatusStream, transactionsStream, screenStream].map(({ path }) => `GET ${path}`)
  const names = [...endpoints.map(([, { method, path }]) => `${method} ${path}`), ...streams].sort()
  const served = servedRoutes(site.app).filter(({ url, method }) => url.startsWith("/api/v1/") && method !== "HEAD")
  expect(served.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(names)
  expect(operations.map(([name]) => name).sort()).toEqual(names.map((name) => name.replace(/:(\w+)/g, "{$1}")).sort())
})

test("whatever is exported as CSV is also a workbook", async () => {
  const exports = (await contractEndpoints()).flatMap(([, { path, reply, query }]) =>
    "file" in reply && reply.file.includes("text/csv") ? [{ path, types: reply.file, query }] : [],
  )
  expect(exports.length).toBe(9)
  for (const { path, types, query } of exports) {
    expect({ path, type: types[1] }).toEqual({ path, type: fileTypes.xlsx })
    expect({
      path,
      asked: query?.safeParse({ format: "xlsx" }).success,
      else: query?.safeParse({ format: "xls" }).success,
    }).toEqual({ path, asked: true, else: false })
  }
})

test("every operation has a summary, a tag, a success and documented failures", () => {
  for (const [name, { summary, tags, responses }] of operations) {
    const statuses = Object.keys(responses)
    const descriptions = Object.values(responses).map(({ description }) => description)
    expect({ name, summary, tags, hasSuccess: statuses.some((status) => status.startsWith("2")) }).toEqual({
      name,
      summary: expect.stringMatching(/./),
      tags: [expect.stringMatching(/./)],
      hasSuccess: true,
    })
    expect(descriptions).not.toContain("Default Response")
  }
})

test("what a seller does asks for a session, what anybody does asks for none", () => {
  const securityOf = (name: string) => operations.find(([each]) => each === name)?.[1].security
  expect(securityOf("GET /api/v1/users/me")).toEqual([{ session: [] }])
  expect(securityOf("GET /api/v1/withdrawals")).toEqual([{ session: [] }, { apiKey: ["withdrawals:read"] }])
  expect(securityOf("POST /api/v1/auth/login")).toEqual([])
})

const namingHeader = (header: string): string[] =>
  operations
    .filter(([, { parameters = [] }]) => parameters.some((each) => each.in === "header" && each.name === header))
    .map(([name]) => name)

test("a call for a shop names X-Shop, unless its address names the shop; a screen names its own secret", () => {
  const naming = namingHeader("X-Shop")
  const isNaming = (name: string) => naming.includes(name)
  expect(["POST /api/v1/charges", "GET /api/v1/users/myBalance", "GET /api/v1/users/me/events"].every(isNaming)).toBe(
    true,
  )
  const others = [
    "GET /api/v1/users/me",
    "GET /api/v1/shops/{id}/members",
    "POST /api/v1/auth/login",
    "GET /api/v1/admin/users",
  ]
  expect(others.some(isNaming)).toBe(false)
  expect(namingHeader("X-Screen").sort()).toEqual(["GET /api/v1/screens/current", "GET /api/v1/screens/current/stream"])
})

test("what creates something or moves money names the Idempotency-Key that it takes, and nothing else does", () => {
  expect(namingHeader("Idempotency-Key").sort()).toEqual([
    "POST /api/v1/admin/disputes",
    "POST /api/v1/admin/journal",
    "POST /api/v1/admin/remittances",
    "POST /api/v1/admin/transactions/{id}/refunds",
    "POST /api/v1/admin/users",
    "POST /api/v1/admin/withdrawals/approve",
    "POST /api/v1/auth/signup",
    "POST /api/v1/charges",
    "POST /api/v1/checkout/pages",
    "POST /api/v1/checkout/process-modern-pix-payment",
    "POST /api/v1/customers",
    "POST /api/v1/invoices",
    "POST /api/v1/invoices/bulk",
    "POST /api/v1/invoices/instalments",
    "POST /api/v1/payments/transactions/{id}/refunds",
    "POST /api/v1/plans",
    "POST /api/v1/settings",
    "POST /api/v1/subscriptions",
    "POST /api/v1/subscriptions/{id}/mandate",
    "POST /api/v1/users/me/api-keys",
    "POST /api/v1/users/me/return-origins/rotate",
    "POST /api/v1/users/me/webhooks",
    "POST /api/v1/users/me/webhooks/deliveries/{id}/resend",
    "POST /api/v1/users/me/webhooks/{id}/resend",
    "POST /api/v1/users/me/webhooks/{id}/rotate",
    "POST /api/v1/withdrawals",
  ])
})

test("the linter that integrators use finds nothing, and would find what is planted", async () => {
  const published = { ...structuredClone(described), servers: [{ url: "https://pix.exemplo.com.br" }] }
  expect(await lint(published)).toEqual([])
  Object.assign(published.paths["/api/v1/checkout/pages"]?.["post"] ?? {}, { operationId: undefined })
  expect(await lint(published)).toEqual([expect.stringMatching(/^warn operation-operationId /)])
})

async function lint(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  return problems.map(({ severity, ruleId, message, location: [place] }) =>
    [severity, ruleId, message, place?.pointer].join(" "),
  )
}

test("failures are described in the shape that they have", () => {
  const [, signup] = operations.find(([name]) => name === "POST /api/v1/auth/signup") ?? []
  expect(JSON.stringify(signup?.responses["4XX"])).toContain('"$ref":"#/components/schemas/Error"')
  expect(described.components.schemas["Error"]).toMatchObject({
    required: ["status", "message", "code"],
    properties: { code: { enum: expect.arrayContaining(["insufficient_balance"]) } },
  })
})

test("an operation is named like its constant in the contract, and like no other", async () => {
  const constants = (await contractEndpoints()).map(([name, { operationId }]) => [name, `${operationId}Endpoint`])
  expect(constants.filter(([name, wanted]) => name !== wanted)).toEqual([])
  const names = operations.map(([, { operationId }]) => operationId)
  expect(names.filter((name, index) => names.indexOf(name) !== index || !/^[a-z][a-zA-Z]+$/.test(name))).toEqual([])
})

test("each type of event is a webhook, signed and with the object that it is about", () => {
  expect(Object.keys(described.webhooks).sort()).toEqual([...eventTypes, "webhook.challenge"].sort())
  const { operationId, parameters = [] } = described.webhooks["charge.paid"]?.["post"] ?? {}
  expect(operationId).toBe("onChargePaid")
  expect(parameters.map(({ name }) => name)).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"])
})

test("what is answered in more than one place has a name, and only standard words are used", () => {
  const unnamed = new Map<string, number>()
  const count = (schema: unknown) => unnamed.set(JSON.stringify(schema), (unnamed.get(JSON.stringify(schema)) ?? 0) + 1)
  eachObject(described.components.schemas, count)
  for (const [, { responses }] of operations) eachObject(responses, count)
  expect([...unnamed].flatMap(([schema, times]) => (times > 1 ? [schema] : []))).toEqual([])
  expect(JSON.stringify(described)).not.toMatch(/"x-/)
})

/** Calls back with each object of two fields or more that isn't a reply's envelope, nor named where it stands. */
function eachObject(node: unknown, found: (schema: object) => void, isNamed = false): void {
  if (typeof node !== "object" || node === null) return
  const { type, properties = {} } = node as { type?: unknown; properties?: Record<string, { const?: unknown }> }
  const isEnvelope = properties["status"]?.const === "success"
  const isBig = Object.keys(properties).length > 1
  if (type === "object" && isBig && !isEnvelope && !isNamed) found(node)
  for (const [key, value] of Object.entries(node)) {
    if (key !== "example" && key !== "examples") eachObject(value, found, node === described.components.schemas)
  }
}

test("the interactive reference makes no request to third parties", async () => {
  const page = await site.call("GET", "/api/docs")
  expect(page.status).toBe(200)
  expect(page.text).not.toMatch(/https?:\/\//)
  expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'nonce-[^']+'; style-src/)
  expect(page.headers["content-security-policy"]).not.toContain("unsafe")

  const script = await site.call("GET", "/api/docs/scalar.js")
  expect(script.headers["content-type"]).toBe("application/javascript; charset=utf-8")
  expect(script.text).toContain("createApiReference")
})

async function contractEndpoints(): Promise<[string, Endpoint][]> {
  const folder = new URL("../../../contract/src/", import.meta.url)
  const files = (await readdir(folder)).filter((name) => /^(?!.*test).*\.ts$/.test(name))
  const modules = await Promise.all(files.map((name) => import(new URL(name, folder).href)))
  return modules
    .flatMap((exported: object) => Object.entries(exported))
    .filter(([name, value]) => name.endsWith("Endpoint") && typeof value === "object")
    .map(([name, endpoint]) => [name, endpoint as Endpoint])
}

test("the reference and its document carry the platform's name, also after a change", async () => {
  const setting = { type: "string", category: "general", description: "", is_public: true, updated_by: null } as const
  for (const name of ["Cobra & Cia", "Outra"]) {
    const value = JSON.stringify(name)
    await site.db
      .insertInto("settings")
      .values({ ...setting, key: "PLATFORM_NAME", value, updated_at: site.clock.now() })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
      .execute()
    expect((await site.call("GET", "/api/openapi.json")).json.info.title).toBe(name)
    const { text } = await site.call("GET", "/api/docs")
    expect(text).toContain(`<title>Referência da API – ${name.replace("&", "&amp;")}</title>`)
  }
})

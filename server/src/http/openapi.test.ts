import { readdir } from "node:fs/promises"
import type { Endpoint } from "@tilinta/contract/api/define-endpoint"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openTestApp, type TestApp } from "../../test-support/test-app.ts"

interface Operation {
  summary: string
  tags: string[]
  security?: object[]
  parameters?: { in: string; name: string; required?: boolean }[]
  responses: Record<string, { description: string; content?: object }>
}

let site: TestApp
let operations: [string, Operation][]

beforeAll(async () => {
  site = await openTestApp()
  const { paths } = (await site.call("GET", "/api/openapi.json")).json
  operations = Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
})

afterAll(async () => {
  await site.close()
})

test("every endpoint of the contract is served and described, and besides them only the streams of events", async () => {
  const endpoints = await endpointsOfContract()
  const names = endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`)
  expect(names.length).toBeGreaterThan(10)
  const described = operations.filter(([, { summary }]) => !summary.includes("text/event-stream")).map(([name]) => name)
  expect(described.sort()).toEqual(names.sort())
  expect(endpoints.filter(({ method, path }) => !site.app.hasRoute({ method, url: path }))).toEqual([])
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

test("what creates something or moves money names the Idempotency-Key that it takes, and nothing else does", () => {
  const named = operations
    .filter(([, { parameters = [] }]) => parameters.some((each) => each.in === "header" && !each.required))
    .map(([name]) => name)
  expect(named.sort()).toEqual([
    "POST /api/v1/admin/disputes",
    "POST /api/v1/admin/transactions/{id}/refunds",
    "POST /api/v1/admin/users",
    "POST /api/v1/admin/withdrawals/approve",
    "POST /api/v1/auth/signup",
    "POST /api/v1/checkout/pages",
    "POST /api/v1/checkout/process-modern-pix-payment",
    "POST /api/v1/payments/transactions/{id}/refunds",
    "POST /api/v1/settings",
    "POST /api/v1/users/me/api-keys",
    "POST /api/v1/withdrawals",
  ])
})

test("failures are described in the shape that they have", async () => {
  const [, signup] = operations.find(([name]) => name === "POST /api/v1/auth/signup") ?? []
  expect(JSON.stringify(signup?.responses["4XX"])).toContain('"required":["status","message","code"]')
})

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

async function endpointsOfContract(): Promise<Endpoint[]> {
  const folder = new URL("../../../contract/src/api/", import.meta.url)
  const files = (await readdir(folder)).filter((name) => name.endsWith("-endpoints.ts"))
  const modules = await Promise.all(files.map((name) => import(new URL(name, folder).href)))
  return modules
    .flatMap((exported: object) => Object.entries(exported))
    .filter(([name]) => name.endsWith("Endpoint"))
    .map(([, endpoint]) => endpoint as Endpoint)
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

import { describe, expect, test } from "vitest"
import { type ApiDocument, breakingChanges } from "./api-changes.ts"
import { presentApi, releasedApi } from "./openapi.ts"

/** Before the first release nobody was promised anything: the planted changes are then made to the present document. */
const released = (releasedApi() ?? presentApi()) as ApiDocument

test("a program written for the last release still works", () => {
  expect(breakingChanges(released, presentApi() as ApiDocument)).toEqual([])
})

test("the last release is the newest tag that has the document, and there may be none", () => {
  const documents: Record<string, string> = { "v0.2.0:docs/openapi.json": '{"paths":{}}' }
  const git = (command: string, last = "") => {
    if (command === "tag") return "v0.3.0\nv0.2.0\nv0.1.0\n"
    const document = documents[last]
    if (document === undefined) throw new Error(`fatal: path 'docs/openapi.json' does not exist in '${last}'`)
    return document
  }
  expect(releasedApi(git)).toEqual({ paths: {} })
  expect(releasedApi(() => "")).toBeNull()
  expect(
    releasedApi(() => {
      throw new Error("spawn git ENOENT")
    }),
  ).toBeNull()
})

/** A field of the document, as a path of keys, and what it becomes; undefined removes it. */
function planted(path: string[], value: unknown): string[] {
  const changed = structuredClone(released)
  const last = path.at(-1) ?? ""
  const parent = path.slice(0, -1).reduce<Record<string, unknown>>(
    (node, key) => {
      const next = node[key]
      if (typeof next !== "object" || next === null) throw new Error(`nothing at ${path.join(" ")}`)
      return next as Record<string, unknown>
    },
    changed as unknown as Record<string, unknown>,
  )
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return breakingChanges(released, changed)
}

const pages = ["paths", "/api/v1/checkout/pages"]
const json = ["content", "application/json", "schema"]
const body = [...pages, "post", "requestBody", ...json]
const transaction = ["components", "schemas", "Transaction"]

describe("what breaks a program is found", () => {
  const cases: [string, string[], unknown, string][] = [
    ["an operation removed", [...pages, "post"], undefined, "POST /api/v1/checkout/pages: removed"],
    ["a path removed", pages, undefined, "GET /api/v1/checkout/pages: removed"],
    ["an operation renamed", [...pages, "post", "operationId"], "newPage", "operationId is newPage"],
    ["a key shut out", [...pages, "post", "security"], [{ session: [] }], 'no access any more by {"apiKey"'],
    ["a parameter removed", [...pages, "get", "parameters"], [], "parameter page removed"],
    ["a parameter required", [...pages, "get", "parameters", "0", "required"], true, "parameter page is required"],
    ["a field no longer taken", [...body, "properties", "maxPayments"], undefined, "body.maxPayments: removed"],
    ["a field required", [...body, "required"], ["description"], "body.description: required"],
    ["a type changed", [...body, "properties", "amount", "type"], "string", "number is no longer taken"],
    ["whole numbers only", [...body, "properties", "amount", "type"], "integer", "number is no longer taken"],
    ["a limit tightened", [...body, "properties", "title", "maxLength"], 5, "body.title: maxLength is 5"],
    ["a pattern added", [...body, "properties", "title", "pattern"], "^[a-z]+$", "body.title: pattern changed"],
    ["a status no longer answered", [...pages, "post", "responses", "201"], undefined, "no longer answers 201"],
    ["an answered field removed", [...transaction, "properties", "netAmount"], undefined, ".netAmount: removed"],
    ["an answered field optional", [...transaction, "required"], [], ".netAmount: may be missing"],
    ["an answered type changed", [...transaction, "properties", "amount", "type"], "string", "string may be answered"],
    ["null answered", [...transaction, "properties", "amount", "type"], ["number", "null"], "null may be answered"],
    ["a word no longer answered", [...transaction, "properties", "status", "enum"], ["pago"], '"pendente" removed'],
  ]

  test.each(cases)("%s", (_name, path, value, found) => {
    expect(planted(path, value).join("\n")).toContain(found)
  })

  test("a word that a filter no longer takes", () => {
    const at = [...pages, "get", "parameters"]
    const parameters = structuredClone(released.paths["/api/v1/checkout/pages"]?.["get"]?.parameters ?? [])
    for (const { name, schema } of parameters) if (name === "status" && schema !== undefined) schema.enum = ["active"]
    expect(planted(at, parameters).join("\n")).toContain('parameter status: "expired" removed')
  })

  test("a webhook's field removed", () => {
    const withHook = (properties: Record<string, object>) => {
      const content = { "application/json": { schema: { type: "object", properties } } }
      return { paths: {}, webhooks: { paid: { post: { requestBody: { content } } } } }
    }
    expect(breakingChanges(withHook({ id: { type: "string" } }), withHook({}))).toEqual([
      "webhook POST paid.id: removed",
    ])
  })
})

describe("what a program may ignore is not", () => {
  const cases: [string, string[], unknown][] = [
    ["a new optional field to send", [...body, "properties", "colour"], { type: "string" }],
    ["a new answered field", [...transaction, "properties", "colour"], { type: "string" }],
    ["another description", [...pages, "post", "summary"], "Cria"],
    ["a wider limit", [...body, "properties", "maxPayments"], {}],
    ["a new operation", ["paths", "/api/v1/colours"], { get: { operationId: "listColours" } }],
  ]

  test.each(cases)("%s", (_name, path, value) => {
    expect(planted(path, value)).toEqual([])
  })
})

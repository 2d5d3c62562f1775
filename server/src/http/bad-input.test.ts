import { gzipSync } from "node:zlib"
import { allExamples } from "@tilinta/contract/all-examples"
import type { Example } from "@tilinta/contract/define-endpoint"
import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import { afterAll, describe, expect, test } from "vitest"
import type { ZodMiniType } from "zod/mini"
import { openRowCounter } from "../../test-support/count-rows.ts"
import { requestOf } from "../../test-support/edge-calls.ts"
import { openEdgeWorld } from "../../test-support/edge-world.ts"
import { fieldsOf, withField, wrongValuesFor } from "../../test-support/field-paths.ts"
import { servedRoutes } from "./serve-endpoint.ts"

const world = await openEdgeWorld()
const rowCounter = await openRowCounter(world.database.url)

afterAll(async () => {
  await rowCounter.close()
  await world.close()
})

const named = allExamples.map((example): [string, Example] => [
  `${example.endpoint.method} ${example.endpoint.path}`,
  example,
])
const withBody = named.filter(([, { endpoint }]) => endpoint.body !== undefined)
const withQuery = named.filter(([, { endpoint }]) => endpoint.query !== undefined)
const withParams = named.filter(([, { endpoint }]) => endpoint.params !== undefined)

interface Attack {
  name: string
  url?: string
  payload?: string | Buffer
  headers?: Record<string, string>
  /** Set when other answers are right too; by default any client error is. */
  statuses?: number[]
}

interface Target {
  url: string
  body: unknown
  token: string | undefined
}

const targets = new Map<Example, Promise<Target>>()

async function prepare(example: Example): Promise<Target> {
  const owner = await world.user()
  const { url, body } = await requestOf(world, example, owner)
  const token = await world.tokenOf(example.endpoint.audience === "admin" ? "admin" : "owner", owner)
  return { url, body, token }
}

/** The example's request for one thing: attacks that are refused leave it as it was. */
function targetOf(example: Example): Promise<Target> {
  const known = targets.get(example) ?? prepare(example)
  targets.set(example, known)
  return known
}

/** Sends all attacks as a permitted caller. Returns those not refused in Portuguese, or that left a row. */
async function faultsOf(
  example: Example,
  attacksOn: (request: { url: string; body: unknown }) => Attack[],
): Promise<unknown[]> {
  const request = await targetOf(example)
  const { token } = request
  const before = await rowCounter.count()
  const faults: unknown[] = []
  for (const { name, url, payload, headers, statuses } of attacksOn(request)) {
    const reply = await world.app.inject({
      method: example.endpoint.method,
      url: url ?? request.url,
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
      ...(payload !== undefined && { payload }),
    })
    const isExpected = (statuses ?? [400, 404, 413, 415, 422]).includes(reply.statusCode)
    const isReported = reply.statusCode < 400 || isRefusal(reply.body)
    if (!isExpected || !isReported) faults.push({ name, status: reply.statusCode, text: reply.body })
  }
  const after = await rowCounter.count()
  for (const [table, rows] of Object.entries(after)) {
    if (rows !== before[table] && !isRecordOfExport(table, example)) faults.push({ table, before: before[table], rows })
  }
  expect((await world.call("GET", "/healthz")).status).toBe(200)
  return faults
}

/** An export without matches is valid, and every export leaves an audit record. */
function isRecordOfExport(table: string, { endpoint }: Example): boolean {
  return table === "audit_records" && "file" in endpoint.reply
}

const words = /\b(invalid|expected|required|unexpected|error:|zod|select|insert|column|syntax)\b|FST_|\.ts:\d/i

/** A known code, and a message that reveals nothing of the implementation. */
function isRefusal(text: string): boolean {
  const { status, message, code } = JSON.parse(text) as Record<string, string>
  return (
    status === "fail" && (message ?? "").trim() !== "" && Object.hasOwn(errorMessages, code ?? "") && !words.test(text)
  )
}

/** Answers every text: one that is no receipt is a forged one. */
const anyReceipt = "/api/v1/receipts/verify"

describe("I04, M05, A04: a field that can't be right", () => {
  test.each(withBody)("%s", async (_name, example) => {
    const schema = example.endpoint.body
    if (schema === undefined) return
    const fields = fieldsOf(schema)
    expect(fields).not.toEqual([])
    const faults = await faultsOf(example, ({ body }) =>
      fields.flatMap((field) => {
        const values =
          field.path.at(-1) === "amount" ? [...wrongValuesFor(field), ...wrongAmounts] : wrongValuesFor(field)
        const refused = example.endpoint.path === anyReceipt ? values.filter((text) => !text.startsWith('"')) : values
        return refused.map((text) => ({
          name: `${field.path.join(".")} = ${text.slice(0, 40)}`,
          payload: withField(body, field.path, text),
        }))
      }),
    )
    expect(faults).toEqual([])
  })
})

/** The fields that read a text as a day, or as a moment. Each is tried alone, since some exclude each other. */
function datesOf(schema: ZodMiniType | undefined): { path: string[]; isDay: boolean }[] {
  if (schema === undefined) return []
  return fieldsOf(schema).flatMap(({ path, types }) => {
    const takes = (value: string) => {
      const result = schema.safeParse(JSON.parse(withField({}, path, JSON.stringify(value))))
      return result.success || !result.error.issues.some((issue) => issue.path.join() === path.join())
    }
    if (types?.has("string") !== true || takes("2026-02-30T99:00:00Z") || takes("x")) return []
    // Eight digits however they are split: a postal code.
    if (takes("20261121")) return []
    const isDay = takes("2026-11-21")
    return isDay || takes("2026-11-21T00:00:00Z") ? [{ path, isDay: !takes("2026-11-21T00:00:00Z") }] : []
  })
}

const wrongDays = ["0000-01-01", "0001-12-31", "1969-12-31", "9999-01-01", "-005000-01-01", "+010000-01-01"]
const wrongMoments = [
  ...wrongDays.map((day) => `${day}T12:00:00Z`),
  "1970-01-01T00:00:00+12:00",
  "9998-12-31T23:59:59-12:00",
  "+275760-09-13T00:00:00Z",
]
const withDates = named.filter(([, { endpoint }]) => datesOf(endpoint.query).length + datesOf(endpoint.body).length > 0)

describe("a day or a moment of a year that no calendar here knows is malformed", () => {
  test("whatever is called like a date is read as one", () => {
    const called = named.flatMap(([name, { endpoint }]) =>
      [endpoint.query, endpoint.body].flatMap((schema) => {
        const dates = datesOf(schema).map(({ path }) => path.join("."))
        const all = schema === undefined ? [] : fieldsOf(schema).map(({ path }) => path.join("."))
        return all.filter((path) => isCalledLikeDate(path) && !dates.includes(path)).map((path) => `${name} ${path}`)
      }),
    )
    expect(called).toEqual([])
    expect(withDates.length).toBeGreaterThan(15)
  })

  test.each(withDates)("%s", async (_name, example) => {
    const faults = await faultsOf(example, ({ url, body }) => [
      ...datesOf(example.endpoint.query).flatMap(({ path: [field = ""], isDay }) =>
        (isDay ? wrongDays : wrongMoments).map((text) => {
          const [address = "", search = ""] = url.split("?")
          const query = new URLSearchParams(search)
          query.set(field, text)
          return { name: `${field}=${text}`, url: `${address}?${query.toString()}`, statuses: [400] }
        }),
      ),
      ...datesOf(example.endpoint.body).flatMap(({ path, isDay }) =>
        (isDay ? wrongDays : wrongMoments).map((text) => ({
          name: `${path.join(".")} = ${text}`,
          payload: withField(body, path, JSON.stringify(text)),
          statuses: [400],
        })),
      ),
    ])
    expect(faults).toEqual([])
  })
})

function isCalledLikeDate(path: string): boolean {
  return /(At|Date|From|To|Until|Since)$|^(since|until|asOf|day)$/.test(path)
}

const wrongAmounts = ["10.005", "0.001", "1e-7", "10.999", "-0", "0", "-1", "10000000", "1e21", "9007199254740993"]

/** Read by nobody as sent: kept secret, looked up, or reduced to its letters and digits. */
const unread = new Set([
  ...[
    "password",
    "passwordConfirm",
    "passwordCurrent",
    "code",
    "key",
    "slug",
    "pixKey",
    "cpf",
    "cnpj",
    "phone",
    "checkoutPageId",
    "sellerId",
  ],
])

describe("a text that people read, with a character that nobody sees", () => {
  test.each(withBody)("%s", async (_name, example) => {
    const schema = example.endpoint.body
    if (schema === undefined) return
    // An e-mail that logs in is looked up, and any that isn't known is a wrong one.
    if (example.endpoint.path.endsWith("/login") || example.endpoint.path === anyReceipt) return
    const fields = fieldsOf(schema).filter(({ path, types }) => types?.has("string") && !unread.has(path.at(-1) ?? ""))
    const unseen = ["a\u202eb", "a\u200bb", "a\u2066b", "a\u001bb", "a\u007fb", "a\u00adb", "a\ufeffb", "a\u3164b"]
    const faults = await faultsOf(example, ({ body }) =>
      fields.flatMap((field) =>
        unseen.map((text) => ({
          name: `${field.path.join(".")} = ${JSON.stringify(text)}`,
          payload: withField(body, field.path, JSON.stringify(text)),
        })),
      ),
    )
    expect(faults).toEqual([])
  })
})

const bomb = gzipSync("a".repeat(20_000_000))

describe("I04: a body that can't be read", () => {
  test.each(withBody)("%s", async (_name, example) => {
    const takesNone = example.endpoint.body?.safeParse(undefined).success === true
    const faults = await faultsOf(example, ({ body }) => {
      const text = JSON.stringify(body)
      const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`
      const deepObject = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`
      return [
        { name: "broken", payload: text.slice(0, -1), statuses: [400] },
        { name: "two values", payload: `${text}${text}`, statuses: [400] },
        { name: "not JSON", payload: "nome=Ana", statuses: [400] },
        { name: "a list", payload: `[${text}]`, statuses: [400] },
        { name: "a text", payload: JSON.stringify(text), statuses: [400] },
        { name: "a number", payload: "7", statuses: [400] },
        { name: "10,000 deep", payload: deep, statuses: [400] },
        ...fieldsOf(example.endpoint.body as never)
          .filter(({ types }) => types !== null && !types.has("object"))
          .map(({ path }) => ({ name: `${path.join(".")} is 10,000 deep`, payload: withField(body, path, deepObject) }))
          .slice(0, 2),
        { name: "BOM", payload: Buffer.from(`\uFEFF${text}`), statuses: [400] },
        { name: "UTF-16", payload: Buffer.from(`\uFEFF${text}`, "utf16le"), statuses: [400] },
        { name: "Latin-1", payload: Buffer.from(`{"name":"João",${text.slice(1)}`, "latin1"), statuses: [400] },
        { name: "gzip", payload: gzipSync(text), headers: { "content-encoding": "gzip" }, statuses: [415] },
        { name: "two megabytes", payload: `{"a":"${"a".repeat(2 * 1024 * 1024)}"}`, statuses: [413] },
        {
          name: "a bomb",
          payload: bomb,
          headers: { "content-encoding": "gzip" },
          statuses: [415],
        },
        ...[
          "text/plain",
          "application/x-www-form-urlencoded",
          "multipart/form-data; boundary=x",
          "application/xml",
        ].map((type) => ({ name: type, payload: text, headers: { "content-type": type }, statuses: [415] })),
        ...(takesNone
          ? []
          : [
              { name: "nothing", payload: "", statuses: [400] },
              { name: "null", payload: "null", statuses: [400] },
            ]),
        ...(takesNone || !hasRequired(example) ? [] : [{ name: "an empty object", payload: "{}" }]),
      ]
    })
    expect(faults).toEqual([])
  })
})

function hasRequired(example: Example): boolean {
  return example.endpoint.body?.safeParse({}).success === false
}

describe("A01: keys that mean something to JavaScript", () => {
  test.each(withBody)("%s takes them for unknown fields, or refuses them", async (_name, example) => {
    const owner = await world.user()
    const { url, body } = await requestOf(world, example, owner)
    const token = (await world.tokenOf(example.endpoint.audience === "admin" ? "admin" : "owner", owner)) ?? ""
    const rawBody = JSON.stringify(body).replace(
      "{",
      '{"__proto__":{"role":"admin","polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x","hasOwnProperty":1,',
    )
    const reply = await world.call(example.endpoint.method, url, { rawBody, token })
    expect([example.endpoint.reply.status, 400, 422]).toContain(reply.status)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    const me = await world.db.selectFrom("users").select("role").where("id", "=", owner.id).executeTakeFirst()
    expect(me?.role).toBe("user")
  })
})

/** Values that a query parameter must refuse; parameters missing here are tested with invalid text only. */
const wrongQueries: Record<string, string[]> = {
  page: ["0", "-1", "1.5", "1e3", "abc", "", " 1", "+1", "0x1", "1;drop table users"],
  limit: ["0", "-1", "1.5", "abc", "", "NaN", "Infinity"],
  status: ["desconhecido", "", "pago,pendente", "' OR 1=1--", "__proto__", "constructor"],
  dateFrom: ["2026-02-31", "31/12/2026", "2026-13-01", "2026-1-1", "ontem", "2026-01-01T00:00:00Z", "275760-09-13"],
}
const dayNames = ["dateFrom", "dateTo", "startDate", "endDate"]

describe("I02: a query that can't be right", () => {
  test.each(withQuery)("%s", async (_name, example) => {
    const fields = fieldsOf(example.endpoint.query as never).map(({ path }) => path.join("."))
    const faults = await faultsOf(example, ({ url }) => {
      const path = url.split("?", 1)[0]
      const of = (query: string) => ({ name: query, url: `${path}?${query}`, statuses: [400, 422] })
      const everywhere = ["%00", "a%00b", "a&NAME=b"]
      const attacks = fields.flatMap((field) => [
        ...everywhere.map((value) => of(`${field}=${value.replace("NAME", field)}`)),
        ...(wrongQueries[dayNames.includes(field) ? "dateFrom" : field] ?? []).map((value) =>
          of(`${field}=${encodeURIComponent(value)}`),
        ),
      ])
      const days = fields.includes("dateFrom") ? ["dateFrom=2026-02-01&dateTo=2026-01-31"] : []
      const synonyms = fields.includes("startDate") ? ["startDate=2026-02-01&endDate=2026-01-31"] : []
      return [...attacks, ...[...days, ...synonyms].map(of)]
    })
    expect(faults).toEqual([])
  })

  test.each(
    withQuery.filter(([, { endpoint }]) => fieldsOf(endpoint.query as never).some(({ path }) => path[0] === "search")),
  )("%s: what SQL and patterns know is searched for as it is written", async (_name, example) => {
    const texts = ["' OR 1=1--", "%", "_", "%_", "\\", "$1", "a'b\"c", "*", "(", "[a-", "\u202e", "é", "İ"]
    const attacks = texts.map((text) => ({ name: text, url: `?search=${encodeURIComponent(text)}`, statuses: [200] }))
    const faults = await faultsOf(example, ({ url }) =>
      attacks.map((attack) => ({ ...attack, url: `${url.split("?", 1)[0]}${attack.url}` })),
    )
    expect(faults).toEqual([])
  })
})

/** Paths that accept any text. */
const anyText = ["/api/v1/checkout/slugs/:slug"]
/** One step up from its id is the address of a webhook, which takes no POST. */
const resend = "/api/v1/users/me/webhooks/deliveries/:id/resend"

const wrongParams = [
  ...[
    "%00",
    "a%00b",
    "%ED%A0%80",
    "%E0%A4%A",
    "%",
    "__proto__",
    "constructor",
    "%27%20OR%201%3D1--",
    "%2e%2e",
    "..%2f..",
  ],
  ...["00000000-0000-7000-8000-000000000000", "00000000-0000-0000-0000-000000000000", "0", "-1", "null", "undefined"],
  ...["%7B%22%24gt%22%3A0%7D", "a".repeat(400), "a".repeat(10_000), "%F0%9F%92%B8", "$1", "*", "İ"],
]

describe("I02: a parameter that can't be right", () => {
  test.each(withParams)("%s", async (_name, example) => {
    const { path, reply } = example.endpoint
    const others = [
      ...(anyText.includes(path) ? [reply.status] : []),
      ...(path === resend || path.endsWith("/:invitationId") ? [405] : []),
    ]
    // A shop in whose team one is not is refused before it is looked up.
    const foreign = path.startsWith("/api/v1/shops/") ? [403] : []
    const statuses = [400, 404, 413, 422, ...foreign, ...others]
    const faults = await faultsOf(example, ({ body }) =>
      wrongParams.map((value) => ({
        name: value.slice(0, 40),
        url: path.replace(/:\w+/, () => value),
        ...(body !== undefined && { payload: JSON.stringify(body) }),
        statuses,
      })),
    )
    expect(faults).toEqual([])
  })
})

describe("I02: a parameter of a page that can't be right", () => {
  const pages = servedRoutes(world.app).filter(({ method, url }) => url.includes(":") && method !== "HEAD")
  const ours = pages.filter(({ url }) => !url.startsWith("/api/v1/"))

  test.each(ours.map(({ method, url }) => `${method} ${url}`))("%s", async (route) => {
    const [method, url] = route.split(" ") as ["GET" | "POST", string]
    const statuses: string[] = []
    for (const value of wrongParams) {
      const { statusCode } = await world.app.inject({
        method,
        url: `${url.replace(/:\w+/, () => value)}?k=${value.slice(0, 100)}`,
        ...(method === "POST" && { payload: "", headers: { "content-type": "application/x-www-form-urlencoded" } }),
      })
      if (statusCode >= 500) statuses.push(`${value.slice(0, 40)}: ${statusCode}`)
    }
    expect(statuses).toEqual([])
  })
})

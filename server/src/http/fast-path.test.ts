import { once } from "node:events"
import type { IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import { setImmediate } from "node:timers/promises"
import type { FastifyInstance } from "fastify"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { DomainError } from "#kit/errors"
import { createLog } from "#kit/log"
import { metrics } from "#kit/metrics"
import { currentRequestId, currentTraceId } from "#kit/request-scope"
import { comparable, dial, exchange, requestText } from "../../test-support/raw-exchange.ts"
import { createServer, drainConnections } from "./create-server.ts"
import { openFastPath } from "./fast-path.ts"
import { trustedPeers } from "./hosts.ts"

let app: FastifyInstance
/** Both ways do this. */
let verb: () => Promise<unknown>
let isDraining: boolean
let byRoute: ReturnType<typeof vi.spyOn>
const lines: string[] = []

beforeEach(async () => {
  verb = async () => undefined
  isDraining = false
  lines.length = 0
  const log = createLog("warn", { write: (line) => void lines.push(line) })
  app = createServer({ log, trustedProxies: ["127.0.0.1"], pressure: { level: () => "calm" } })
  const drain = { isDraining: () => isDraining, begin: async () => undefined }
  drainConnections(app, { drain })
  const work = async () => {
    await verb()
    return { status: "success" }
  }
  const path = {
    route: "/api/things",
    accept: ({ url, headers }: IncomingMessage) =>
      url === "/api/things" && headers["x-by-route"] === undefined
        ? () => work().then((answer) => JSON.stringify(answer))
        : null,
  }
  openFastPath(app, path, { drain, isTrustedPeer: trustedPeers(["127.0.0.1"]) })
  app.get("/api/things", work)
  app.post("/api/things", work)
  await app.listen({ host: "127.0.0.1", port: 0 })
  byRoute = vi.spyOn(app, "routing")
})

afterEach(() => app.close())

const chunked = { "content-type": "application/json", "transfer-encoding": "chunked" }
const json = (body: string) => ({ "content-type": "application/json", "content-length": String(body.length) })
const get = (headers = {}) => requestText("GET /api/things", headers)
/** Makes a request one that only the route answers. */
const byTheRoute = { "x-by-route": "1" }
const getByRoute = (headers = {}) => get({ ...headers, ...byTheRoute })

/** The answers of both ways to a GET. */
async function bothAnswers(headers = {}): Promise<[string, string]> {
  const fast = await exchange(app, get(headers))
  const long = await exchange(app, getByRoute(headers))
  return [comparable(fast), comparable(long)]
}

test.each([
  ["a kept connection is told how long", { connection: "keep-alive, close" }],
  ["a proxy's name for it", { "x-request-id": "abcdefgh", "x-forwarded-for": "203.0.113.7" }],
  ["a client that waits to be told to go on", { expect: "100-continue" }],
])("the answer is Fastify's to the last byte: %s", async (_name, headers) => {
  const [fast, long] = await bothAnswers(headers)
  expect(fast).toContain("HTTP/1.1 200 OK\r\nx-request-id: …\r\ncontent-security-policy")
  expect(fast).toBe(long)
  expect(byRoute).toHaveBeenCalledTimes(1)
})

test("HTTP/1.0 gets what Fastify would send", async () => {
  const asked = [get(), getByRoute()].map((request) => exchange(app, request.replace("HTTP/1.1", "HTTP/1.0")))
  const [fast, long] = await Promise.all(asked)
  expect(comparable(fast ?? "")).toBe(comparable(long ?? "x"))
})

test.each([
  ["overloaded", new DomainError("overloaded", { retryAfterSeconds: 1 }), 503],
  ["too_many_requests", new DomainError("too_many_requests", { retryAfterSeconds: 7 }), 429],
  ["unauthenticated", new DomainError("unauthenticated"), 401],
  ["internal_error", new TypeError("our bug"), 500],
])(
  "a failure is answered, counted and logged as Fastify's, under the id of its work: %s",
  async (_code, error, status) => {
    const ids: unknown[] = []
    verb = async () => {
      ids.push(currentRequestId())
      throw error
    }
    const before = await countOf("GET", status)
    const answer = await exchange(app, get())
    expect(byRoute).toHaveBeenCalledTimes(1)
    expect(comparable(answer)).toBe(comparable(await exchange(app, getByRoute())))
    expect(answer).toContain(`HTTP/1.1 ${status} `)
    expect(answer).toContain(`x-request-id: ${String(ids[0])}\r\n`)
    expect(await countOf("GET", status)).toBe(before + 2)
    const logged = lines.map((line) => JSON.parse(line))
    expect(logged.map(({ requestId, req }) => [requestId, req])).toEqual(
      status === 500 ? ids.map((id) => [id, { id, method: "GET", route: "/api/things" }]) : [],
    )
  },
)

test("a failure leaves the connection open", async () => {
  verb = async () => Promise.reject(new DomainError("webhook_not_genuine"))
  const answers = await exchange(app, get({ connection: "keep-alive" }) + get())
  expect(answers.match(/HTTP\/1.1 401/g)).toHaveLength(2)
})

test("the whole time of a failure is counted", async () => {
  const before = await secondsOf(503)
  verb = async () => {
    await new Promise((resolve) => setTimeout(resolve, 60))
    throw new DomainError("overloaded")
  }
  await exchange(app, get())
  expect((await secondsOf(503)) - before).toBeGreaterThan(0.05)
})

test("a request's work is in its scope, with the trusted proxy's name for it", async () => {
  const scopes: unknown[] = []
  verb = async () => scopes.push([currentRequestId(), currentTraceId()])
  const answer = await exchange(app, get({ "x-request-id": "named-by-proxy" }))
  expect(scopes).toEqual([[/x-request-id: (\S+)/.exec(answer)?.[1], "named-by-proxy"]])
})

test.each([
  ["another method", requestText("PUT /api/things", json("{}"), "{}"), 404],
  ["a query", requestText("GET /api/things?a=1"), 200],
  ["a GET with a body", requestText("GET /api/things", json("{}"), "{}"), 200],
  ["a GET with a body in chunks", requestText("GET /api/things", chunked, '7\r\n{"a":1}\r\n0\r\n\r\n'), 200],
  ["a POST", requestText("POST /api/things", json("{}"), "{}"), 200],
  ["a POST without a body", requestText("POST /api/things"), 200],
])("only the route answers %s", async (_name, request, status) => {
  expect(await exchange(app, request)).toContain(`HTTP/1.1 ${status} `)
  expect(byRoute).toHaveBeenCalledTimes(1)
})

test("answers to pipelined requests come in their order, in whatever order they are ready", async () => {
  const ends: (() => void)[] = []
  verb = () =>
    new Promise<void>((resolve, reject) => {
      ends.push(ends.length === 0 ? () => reject(new DomainError("unauthenticated")) : resolve)
    })
  const kept = { connection: "keep-alive" }
  const asked = exchange(app, get(kept) + get(kept) + requestText("GET /nowhere", kept) + get())
  await expect.poll(() => ends).toHaveLength(3)
  for (const end of ends.toReversed()) {
    end()
    await setImmediate()
  }
  const statuses = [...(await asked).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)
  expect(statuses).toEqual(["401", "200", "404", "200"])
})

test("a client that leaves before its answer disturbs nobody", async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  verb = () => promise
  const socket = dial(app)
  socket.write(get())
  await once(app.server, "request")
  socket.destroy()
  resolve()
  verb = async () => undefined
  expect(await exchange(app, get())).toContain("200 OK")
  expect(lines).toEqual([])
})

test("a server that drains goes the route, which closes each connection with its answer", async () => {
  isDraining = true
  expect(await exchange(app, get({ connection: "keep-alive" }))).toContain("connection: close\r\n")
  expect(byRoute).toHaveBeenCalledTimes(1)
})

test("a server that stops answers what is under way, and closes every connection with its next answer", async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  verb = () => promise
  const socket = dial(app)
  const answers = text(socket)
  socket.write(get({ connection: "keep-alive" }))
  await once(app.server, "request")
  const closed = app.close()
  socket.write(get({ connection: "keep-alive" }))
  await once(app.server, "request")
  resolve()
  expect((await answers).match(/HTTP\/1.1 200 OK|Connection: [\w-]+/gi)).toEqual([
    ...["HTTP/1.1 200 OK", "Connection: keep-alive", "HTTP/1.1 200 OK", "Connection: close"],
  ])
  await closed
})

test("every answer is counted once", async () => {
  const before = await countOf("GET", 200)
  await Promise.all([exchange(app, get()), exchange(app, getByRoute()), exchange(app, get())])
  expect(await countOf("GET", 200)).toBe(before + 3)
})

async function countOf(method: string, status: number): Promise<number> {
  return figureOf("count", new RegExp(`route="/api/things",method="${method}",status="${status}"`))
}

async function secondsOf(status: number): Promise<number> {
  return figureOf("sum", new RegExp(`route="/api/things",method="GET",status="${status}"`))
}

async function figureOf(part: string, labels: RegExp): Promise<number> {
  const line = (await metrics.metrics())
    .split("\n")
    .find((each) => each.includes(`seconds_${part}`) && labels.test(each))
  return Number(line?.split(" ").at(-1) ?? 0)
}

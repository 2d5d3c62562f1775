import { createServer as createHttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import { expect, onTestFinished, test, vi } from "vitest"
import { createLog } from "#kit/log"
import { createServer } from "./create-server.ts"
import { traceRequests } from "./trace-requests.ts"

interface Received {
  headers: NodeJS.Dict<string | string[]>
  spans: { name: string; traceId: string; parentSpanId?: string; status: { code: number }; [field: string]: unknown }[]
}

/** A small receiver of OTLP. */
async function openCollector(answer = 200) {
  const received: Received[] = []
  const server = createHttpServer((request, reply) => {
    void json(request).then((body) => {
      const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: Received["spans"] }[] }[] }
      const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
      if (request.url === "/v1/traces") received.push({ headers: request.headers, spans })
      reply.writeHead(answer).end("{}")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, received, close: () => new Promise((resolve) => server.close(resolve)) }
}

function openSite(url: string, { share = 1, lines = [] as string[] } = {}) {
  const log = createLog("warn", { write: (line) => lines.push(line) })
  const app = createServer({ log, trustedProxies: ["10.0.0.0/8"], pressure: { level: () => "calm" } })
  traceRequests(app, { otlp: { url, headers: { "x-key": "s3gredo" }, service: "caixa", share }, log })
  app.get("/pages/:token", async () => {
    log.warn("within a request")
    return {}
  })
  app.get("/fails", () => Promise.reject(new Error("planted")))
  return app
}

const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
const traceparent = `00-${trace}-00f067aa0ba902b7-01`

test("each request is a span at the collector, below the trusted proxy's, without the address", async () => {
  const collector = await openCollector()
  const lines: string[] = []
  const app = openSite(collector.url, { lines })
  await app.inject({ url: "/pages/a-secret", headers: { traceparent }, remoteAddress: "10.0.0.1" })
  await app.inject({ url: "/fails", headers: { traceparent }, remoteAddress: "203.0.113.7" })
  await app.close()
  await collector.close()

  expect(collector.received).toHaveLength(1)
  expect(collector.received[0]?.headers["x-key"]).toBe("s3gredo")
  const [page, failed] = collector.received[0]?.spans ?? []
  expect(page).toMatchObject({ name: "GET /pages/:token", traceId: trace, parentSpanId: "00f067aa0ba902b7", kind: 2 })
  expect(BigInt(String(page?.["endTimeUnixNano"]))).toBeGreaterThanOrEqual(BigInt(String(page?.["startTimeUnixNano"])))
  expect(failed).toMatchObject({ name: "GET /fails", status: { code: 2 } })
  expect(failed?.traceId).not.toBe(trace)
  expect(failed?.parentSpanId).toBeUndefined()
  expect(JSON.stringify(collector.received)).not.toContain("a-secret")
  const traces = lines.map((line) => JSON.parse(line) as { traceId?: string }).map(({ traceId }) => traceId)
  expect(traces).toEqual([trace, failed?.traceId])
})

test("a collector that fails costs a line in the log and no request; a trace left out by its share is not sent", async () => {
  const collector = await openCollector(503)
  const lines: string[] = []
  const [failing, none] = [openSite(collector.url, { lines }), openSite(collector.url, { share: 0 })]
  expect((await failing.inject("/pages/x")).statusCode).toBe(200)
  expect((await none.inject("/pages/x")).statusCode).toBe(200)
  await Promise.all([failing.close(), none.close()])
  await collector.close()
  expect(collector.received).toHaveLength(1)
  expect(lines.filter((line) => line.includes("traces could not be sent"))).toHaveLength(1)
})

test("spans that no longer fit are dropped, and the log says how many", async () => {
  const collector = await openCollector()
  const lines: string[] = []
  // Nothing is sent in between, however slow the machine is.
  vi.useFakeTimers({ toFake: ["setInterval"] })
  onTestFinished(() => void vi.useRealTimers())
  const app = openSite(collector.url, { lines })
  await Promise.all(Array.from({ length: 2_060 }, () => app.inject("/unknown")))
  await app.close()
  await collector.close()
  const dropped = lines.map((line) => JSON.parse(line) as { msg: string; spans?: number })
  expect(dropped.filter(({ msg }) => msg.startsWith("traces were dropped"))).toMatchObject([{ spans: 12 }])
  expect(collector.received.flatMap(({ spans }) => spans)).toHaveLength(2_048)
})

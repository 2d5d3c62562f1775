import { expect, test } from "vitest"
import { createLog } from "#kit/log"
import { version } from "#kit/machine"
import { openCollector, plain } from "../../test-support/otlp-collector.ts"
import { createServer } from "./create-server.ts"
import { traceRequests } from "./trace-requests.ts"

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
const proxy = "10.0.0.1"

test("each request is a span at the collector, below the trusted proxy's, without the address", async () => {
  const collector = await openCollector()
  const lines: string[] = []
  const app = openSite(collector.url, { lines })
  const tracestate = "vendor=a-secret"
  const headers = { traceparent, tracestate, cookie: "a-secret", "user-agent": "a-secret" }
  const answer = await app.inject({ url: "/pages/a-secret?token=a-secret", headers, remoteAddress: proxy })
  await app.inject({ url: "/fails", headers: { traceparent }, remoteAddress: "203.0.113.7" })
  await app.close()

  expect(collector.received).toHaveLength(1)
  const [request] = collector.received
  expect(request).toMatchObject({ url: "/v1/traces", headers: { "x-key": "s3gredo" } })
  expect(request?.headers["content-type"]).toBe("application/json")
  expect(request?.resource).toMatchObject({ "service.name": "caixa", "service.version": version })
  const [page, failed] = request?.spans ?? []
  expect(page).toMatchObject({ name: "GET /pages/:token", traceId: trace, parentSpanId: "00f067aa0ba902b7", kind: 2 })
  expect(plain(page?.attributes ?? [])).toEqual({
    "http.request.method": "GET",
    "http.route": "/pages/:token",
    "http.response.status_code": 200,
    "tilinta.request_id": answer.headers["x-request-id"],
  })
  expect(page?.status.code).toBe(0)
  expect(BigInt(page?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(page?.startTimeUnixNano ?? 1))
  expect(failed).toMatchObject({ name: "GET /fails", status: { code: 2 } })
  expect(failed?.traceId).not.toBe(trace)
  expect(failed?.parentSpanId).toBeUndefined()
  expect(JSON.stringify(collector.received)).not.toContain("a-secret")
  const traces = lines.map((line) => JSON.parse(line) as { traceId?: string }).map(({ traceId }) => traceId)
  expect(traces).toEqual([trace, failed?.traceId])
})

test("the proxy says whether its trace is kept; of the others the share is", async () => {
  const collector = await openCollector()
  const [all, none] = [openSite(collector.url), openSite(collector.url, { share: 0 })]
  for (const app of [all, none]) {
    for (const flags of ["00", "01"]) {
      const headers = { traceparent: traceparent.replace(/01$/, flags) }
      await app.inject({ url: `/pages/x`, headers, remoteAddress: proxy })
    }
    await app.inject({ url: "/unknown", headers: { "x-request-id": trace }, remoteAddress: proxy })
    await app.close()
  }
  const kept = collector.spans().map(({ name, traceId, parentSpanId }) => [name, traceId, parentSpanId])
  const ofProxy = ["GET /pages/:token", trace, "00f067aa0ba902b7"]
  expect(kept).toEqual([ofProxy, ["GET unknown", trace, undefined], ofProxy])
})

test("a trace that isn't kept still has its id in the log", async () => {
  const collector = await openCollector()
  const lines: string[] = []
  const app = openSite(collector.url, { share: 0, lines })
  await app.inject("/pages/x")
  await app.close()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ traceId: expect.stringMatching(/^[0-9a-f]{32}$/) }])
  expect(collector.received).toEqual([])
})

test("a collector that doesn't answer delays no request, and the end by a second", async () => {
  const collector = await openCollector("nothing")
  const lines: string[] = []
  const app = openSite(collector.url, { lines })
  const answers = await Promise.all(Array.from({ length: 600 }, () => app.inject("/unknown")))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
  const begin = performance.now()
  await app.close()
  expect(performance.now() - begin).toBeLessThan(2_500)
  expect(lines.filter((line) => line.includes("traces could not be sent"))).toHaveLength(1)
})

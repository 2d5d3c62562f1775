import { expect, test } from "vitest"
import { openCollector } from "../../test-support/otlp-collector.ts"
import { createLog } from "./log.ts"
import { createOtlpTracer } from "./otlp-tracer.ts"
import { inRequest } from "./request-scope.ts"

function openTracer(url: string) {
  const lines: string[] = []
  const log = createLog("warn", { write: (line) => lines.push(line) })
  const { tracer, stop } = createOtlpTracer({ url, headers: {}, service: "caixa", share: 1 }, log)
  const endSpans = (count: number) => {
    for (let span = 0; span < count; span += 1) tracer.startSpan("planted").end()
  }
  return { endSpans, stop, lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

test("spans that no longer fit are dropped, and the log says how many", async () => {
  const collector = await openCollector("nothing")
  const { endSpans, stop, lines } = openTracer(collector.url)
  // Within one turn of the event loop nothing is sent, however slow the machine is.
  endSpans(512 + 2_048 + 12)
  await expect.poll(() => collector.received).toHaveLength(1)
  collector.answer(200)
  await expect.poll(() => collector.spans()).toHaveLength(512 + 2_048)
  endSpans(1)
  await stop()

  expect(collector.spans()).toHaveLength(512 + 2_048 + 1)
  const detail = expect.stringContaining("Dropped 12 spans")
  expect(lines()).toMatchObject([{ level: "warn", msg: "traces may be incomplete", detail }])
})

test("a collector that is not there is one line in the log, which belongs to no request", async () => {
  const collector = await openCollector()
  await collector.close()
  const { endSpans, stop, lines } = openTracer(collector.url)
  inRequest({ id: "request-1", traceId: "trace-1" }, () => endSpans(3 * 512))
  await expect.poll(() => lines()).toHaveLength(1)
  await stop()

  expect(lines()).toMatchObject([{ msg: "traces could not be sent", err: { code: "ECONNREFUSED" } }])
  expect(Object.keys(lines()[0] ?? {}).sort()).toEqual(["err", "level", "msg", "time"])
})

test.each([503, "nothing"] as const)("a collector that answers %s holds up the end for a second", async (answer) => {
  const collector = await openCollector(answer)
  const { endSpans, stop, lines } = openTracer(collector.url)
  endSpans(600)
  const begin = performance.now()
  await stop()
  expect(performance.now() - begin).toBeLessThan(2_500)
  // A batch may be tried again within the second.
  expect(new Set(collector.spans().map(({ spanId }) => spanId)).size).toBe(600)
  expect(lines()).toMatchObject([{ msg: "traces could not be sent" }])
})

test("a trace that begins here has the name that a proxy gave the request, where that can be an id", async () => {
  const collector = await openCollector()
  const { endSpans, stop } = openTracer(collector.url)
  const named = ["4BF92F35-77B3-4DA6-A3CE-929D0E0E4736", "pedido-000001", "0".repeat(32)]
  for (const traceId of named) inRequest({ traceId }, () => endSpans(1))
  await stop()

  const [first, second, third] = collector.spans().map(({ traceId }) => traceId)
  expect(first).toBe("4bf92f3577b34da6a3ce929d0e0e4736")
  for (const invented of [second, third]) expect(invented).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
})

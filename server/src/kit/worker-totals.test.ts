import { Counter, Gauge, Histogram, Registry } from "prom-client"
import { expect, test } from "vitest"
import { createWorkerTotals } from "./metrics.ts"

function openWorker() {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  const requests = new Counter({ name: "requests_total", help: "x", labelNames: ["route"], registers })
  const busy = new Gauge({ name: "busy", help: "x", registers })
  const seconds = new Histogram({ name: "seconds", help: "x", buckets: [1], registers })
  return { requests, busy, seconds, snapshot: () => registry.getMetricsAsJSON() }
}

function valuesIn(text: string): Record<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  return Object.fromEntries(lines.map((line) => line.split(" ")).map(([name = "", value]) => [name, Number(value)]))
}

test("what an ended process counted stays in the totals, once, and what it measured goes", async () => {
  const totals = createWorkerTotals()
  const [first, second] = [openWorker(), openWorker()]
  first.requests.inc({ route: "/a" }, 5)
  first.busy.set(3)
  first.seconds.observe(0.5)
  second.requests.inc({ route: "/a" }, 2)
  second.busy.set(1)
  totals.note(1, await first.snapshot())
  totals.note(2, await second.snapshot())
  expect(valuesIn(await totals.text())).toMatchObject({ 'requests_total{route="/a"}': 7, busy: 4, seconds_count: 1 })

  totals.end(1)
  totals.end(1)
  expect(valuesIn(await totals.text())).toMatchObject({ 'requests_total{route="/a"}': 7, busy: 1, seconds_count: 1 })

  const third = openWorker()
  third.requests.inc({ route: "/a" }, 1)
  third.seconds.observe(2)
  totals.note(3, await third.snapshot())
  totals.end(2)
  totals.end(3)
  const left = valuesIn(await totals.text())
  expect(left).toMatchObject({ 'requests_total{route="/a"}': 8, seconds_count: 2, 'seconds_bucket{le="1"}': 1 })
  expect(left["busy"]).toBeUndefined()
})

test("a process that never told anything adds nothing, and its end takes nothing away", async () => {
  const totals = createWorkerTotals()
  const one = openWorker()
  one.requests.inc({ route: "/a" }, 5)
  totals.note(1, await one.snapshot())
  totals.end(2)
  expect(valuesIn(await totals.text())).toMatchObject({ 'requests_total{route="/a"}': 5 })
})

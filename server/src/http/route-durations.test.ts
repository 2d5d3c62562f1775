import { Histogram, Registry } from "prom-client"
import { expect, test } from "vitest"
import { createRouteDurations } from "./route-durations.ts"

test("what is observed reads as the library's own histogram would show it", async () => {
  const [ours, theirs] = [new Registry(), new Registry()]
  const observe = createRouteDurations(ours)
  const histogram = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's arrival to the end of its reply",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [theirs],
  })
  for (const seconds of [0, 0.004, 0.005, 0.0051, 0.3, 10, 11]) {
    for (const route of ["/a", '/quoted"/:id', "unknown"]) {
      for (const status of [200, 404]) {
        const observed = { method: status === 404 && route === "/a" ? "POST" : "GET", route, status }
        observe(observed, seconds)
        histogram.observe(observed, seconds)
      }
    }
  }
  const linesOf = async (registry: Registry) => (await registry.metrics()).split("\n").map(asTold).sort()
  expect(await linesOf(ours)).toEqual(await linesOf(theirs))
  expect(await ours.metrics()).toContain('le="+Inf"')
})

/** Sorts the labels, whose order has no meaning. */
function asTold(line: string): string {
  return line.replace(/\{(.*)\}/, (_all, labels: string) => `{${labels.split(",").sort().join(",")}}`)
}

import type { FastifyInstance } from "fastify"
import { Histogram, metrics } from "#kit/metrics"

declare module "fastify" {
  interface FastifyRequest {
    /** Spent on the request before its route got it. */
    earlierMs: number
  }
}

const durations = new Histogram({
  name: "http_request_duration_seconds",
  help: "Time from a request's arrival to the end of its reply",
  labelNames: ["route", "method", "status"],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [metrics],
})

export function observeRequest(labels: { route: string; method: string; status: number }, seconds: number): void {
  durations.observe(labels, seconds)
}

/** Labelled by the route's pattern and never by the URL, which would make a new series per link. */
export function measureRequests(app: FastifyInstance): void {
  app.decorateRequest("earlierMs", 0)
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown"
    const seconds = (request.earlierMs + reply.elapsedTime) / 1000
    observeRequest({ route, method: request.method, status: reply.statusCode }, seconds)
    done()
  })
}

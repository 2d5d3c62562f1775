import type { FastifyInstance } from "fastify"
import { metrics } from "#kit/metrics"
import { createRouteDurations } from "./route-durations.ts"

declare module "fastify" {
  interface FastifyRequest {
    /** Spent on the request before its route got it. */
    earlierMs: number
  }
}

export const observeRequest = createRouteDurations(metrics)

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

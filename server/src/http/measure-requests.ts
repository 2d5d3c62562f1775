import type { FastifyInstance } from "fastify"
import { metrics } from "#kit/metrics"
import { createRouteDurations } from "./route-durations.ts"

const observe = createRouteDurations(metrics)

/** Labelled by the route's pattern and never by the URL, which would make a new series per link. */
export function measureRequests(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown"
    observe({ route, method: request.method, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}

import type { FastifyInstance } from "fastify"
import { pingDatabase } from "#db/ping-database"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { metrics } from "#kit/metrics"
import { version } from "#kit/version"
import { measureSystem } from "./measure-system.ts"

/** Liveness, readiness and metrics, for monitoring. */
export function healthRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock; psp: { name: string } }): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store")
  })

  app.get("/healthz", async () => ({ status: "ok", version }))

  app.get("/readyz", async () => {
    await pingDatabase(deps.db)
    return { status: "ok" }
  })

  app.get("/metrics", async (_request, reply) => {
    await measureSystem(deps)
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

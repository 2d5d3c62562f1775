import type { FastifyInstance } from "fastify"
import { pingDatabase } from "#db/ping-database"
import type { Db } from "#db/transaction"
import { metrics } from "#kit/metrics"

/** For whoever watches over the server: is it alive, can it work, how does it do. */
export function healthRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store")
  })

  app.get("/healthz", async () => ({ status: "ok" }))

  app.get("/readyz", async () => {
    await pingDatabase(db)
    return { status: "ok" }
  })

  app.get("/metrics", async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()))
}

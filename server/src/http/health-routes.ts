import { isOfThisMachine } from "@tilinta/simulator/of-this-machine"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { createWriteProbe } from "#db/write-probe"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import type { Drain } from "#kit/drain"
import { metrics } from "#kit/metrics"
import { isSameSecret } from "#kit/same-secret"
import { version } from "#kit/version"
import { readMetrics } from "#kit/worker-metrics"
import { bearerTokenOf } from "./bearer-token.ts"
import { measureSystem } from "./measure-system.ts"

interface Deps {
  db: Db
  clock: Clock
  psp: { name: string }
  drain: Drain
  /** Null: only this machine reads the metrics. */
  metricsToken: string | null
}

/** Liveness, readiness and metrics, for monitoring. */
export function healthRoutes(app: FastifyInstance, deps: Deps): void {
  const probeWrites = createWriteProbe(deps.db)
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store")
  })

  app.get("/healthz", async () => ({ status: "ok", version }))

  app.get("/readyz", async () => {
    if (deps.drain.isDraining()) throw new DomainError("service_unavailable")
    await probeWrites()
    return { status: "ok" }
  })

  app.get("/metrics", async (request, reply) => {
    if (!mayRead(request, deps.metricsToken)) throw new DomainError("forbidden", { message: onlyWithToken })
    await measureSystem(deps)
    return reply.type(metrics.contentType).send(await readMetrics())
  })
}

const onlyWithToken = "As métricas só são mostradas nesta máquina, ou com METRICS_TOKEN."

function mayRead(request: FastifyRequest, token: string | null): boolean {
  const given = bearerTokenOf(request)
  return isOfThisMachine(request) || (token !== null && given !== null && isSameSecret(given, token))
}

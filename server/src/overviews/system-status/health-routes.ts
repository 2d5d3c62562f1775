import { isOfThisMachine } from "@tilinta/simulator/open-to"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { createWriteProbe } from "#db/watch-sessions"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { version } from "#kit/machine"
import { Gauge, metrics, platformMetrics, readMetrics } from "#kit/metrics"
import type { Drain } from "#kit/request-scope"
import { isSameSecret } from "#kit/secrets"
import { bearerTokenOf } from "#people/sessions/caller"
import { readSystemFigures, type SystemFigures } from "./status.ts"

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

const helps = {
  reconciliationLagSeconds: ["reconciliation_lag_seconds", "How long ago reconciliation last saw all receipts"],
  lastContactAgeSeconds: ["psp_last_contact_age_seconds", "How long ago the provider last answered"],
  inboxWaiting: ["psp_inbox_depth", "Webhooks that are not worked off yet"],
  mailsGivenUp: ["mails_given_up", "Mails of the last seven days that could not be sent"],
  ledgerDifferences: ["ledger_differences", "Differences that the last check of the books found"],
  backupAgeSeconds: ["backup_age_seconds", "How old the last backup is that the server made by itself"],
} as const satisfies Record<keyof SystemFigures, [string, string]>

const gauges = new Map(
  Object.entries(helps).map(([figure, [name, help]]) => [
    figure,
    new Gauge({ name, help, registers: [platformMetrics] }),
  ]),
)

/** Failed readings become NaN: an old value would look as if all were well. */
async function measureSystem({ db, clock, psp }: { db: Db; clock: Clock; psp: { name: string } }): Promise<void> {
  const figures = await readSystemFigures(db, psp.name, clock.now()).catch(() => null)
  for (const [figure, gauge] of gauges) gauge.set(figures?.[figure as keyof SystemFigures] ?? Number.NaN)
}

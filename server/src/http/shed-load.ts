import type { FastifyInstance, FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"
import { Counter, metrics } from "#kit/metrics"
import type { Pressure, PressureLevel } from "#kit/pressure"
import { type Audience, audienceOf } from "./audience.ts"

/** Priority under load: the bank first, then payers, then people at a screen, who can come back later. */
type Urgency = "first" | "payer" | "screen" | "last"

declare module "fastify" {
  interface FastifyContextConfig {
    urgency?: Urgency
  }
}

const usualUrgency = {
  webhook: "first",
  health: "first",
  public: "payer",
  site: "payer",
  sandbox: "payer",
  seller: "screen",
  admin: "screen",
} as const satisfies Record<Audience, Urgency>

const refusedAt = {
  first: [],
  payer: [],
  screen: ["extreme"],
  last: ["busy", "extreme"],
} as const satisfies Record<Urgency, PressureLevel[]>

const retryAfterSeconds = { first: 1, payer: 1, screen: 3, last: 5 } as const satisfies Record<Urgency, number>

const refusals = new Counter({
  name: "requests_refused_total",
  help: "Requests answered 503 because more was asked for than can be done",
  labelNames: ["urgency"],
  registers: [metrics],
})

/** Runs before anything is read, so that a refusal costs next to nothing. Must be installed before the routes. */
export function shedLoad(app: FastifyInstance, pressure: Pressure): void {
  app.addHook("onRoute", function noteUrgency(this: FastifyInstance, route) {
    const audience = audienceOf(this)
    if (audience === undefined) return
    route.config = { ...route.config, urgency: route.config?.urgency ?? usualUrgency[audience] }
  })

  app.addHook("onRequest", (request, _reply, done) => {
    const urgency = pressure.level() === "calm" ? null : urgencyOf(request)
    if (urgency === null || !isRefused(pressure.level(), urgency)) {
      done()
      return
    }
    refusals.inc({ urgency })
    done(new DomainError("overloaded", { retryAfterSeconds: retryAfterSeconds[urgency] }))
  })
}

function isRefused(level: PressureLevel, urgency: Urgency): boolean {
  const levels: readonly PressureLevel[] = refusedAt[urgency]
  return levels.includes(level)
}

/** A search reads whatever it needs; the same list without it reads one page by an index. */
function urgencyOf({ routeOptions, query }: FastifyRequest): Urgency {
  const urgency = routeOptions.config.urgency ?? "payer"
  const { search } = (query ?? {}) as { search?: unknown }
  return urgency === "screen" && search !== undefined && search !== "" ? "last" : urgency
}

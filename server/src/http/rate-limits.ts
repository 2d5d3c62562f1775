import type { FastifyInstance, FastifyRequest } from "fastify"
import { createRecentMap } from "#kit/caches"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { Counter, metrics } from "#kit/metrics"
import { isLoopback, networkOf } from "#kit/outside"
import type { Pressure, PressureLevel } from "#kit/pressure"
import { type Audience, audienceOf } from "./list-query.ts"

/**
 * A payer polls every three seconds, and once more whenever the page wakes up. Half of the keys are sure to be kept: more than
 * the payers whose polls a server can answer, so that none of them is made anew each time.
 */
const perTransaction = { burst: 60, perSecond: 10, keys: 50_000 }
/** Eight hundred payers behind one address, and a whole fair that opens a page at once. */
const perAddress = { burst: 1_500, perSecond: 300, keys: 50_000 }

/** Counts a request; the refusal when there were too many. */
export type CallerLimits = (ip: string, transactionId: string | undefined) => DomainError | undefined

/** The first limit includes the payment, so that abuse takes nothing from neighbours behind the same address. */
export function createCallerLimits(clock: Clock): CallerLimits {
  const transactions = createTokenBuckets(perTransaction, clock)
  const addresses = createTokenBuckets(perAddress, clock)

  return (ip, transactionId) => {
    const network = networkOf(ip)
    const forTransaction =
      transactionId === undefined ? 0 : transactions.takeFrom(transactions.of(`${network} ${copyOf(transactionId)}`))
    // This machine may be a proxy that names no client and then stands for everybody.
    const forAddress = isLoopback(ip) ? 0 : addresses.takeFrom(addresses.of(network))
    const retryAfterSeconds = Math.max(forTransaction, forAddress)
    return retryAfterSeconds > 0 ? new DomainError("too_many_requests", { retryAfterSeconds }) : undefined
  }
}

/** V8's slice would keep the whole address that it was cut from. */
function copyOf(transactionId: string): string {
  return Buffer.from(transactionId).toString("utf8", 0, 40)
}

/** Rate limits against floods, before a body is read or the database queried. */
export function limitCallers(
  scope: FastifyInstance,
  { clock }: { clock: Clock },
  callerLimits = createCallerLimits(clock),
): void {
  scope.addHook<{ Params: { transactionId?: string } }>("onRequest", ({ ip, params }, _reply, done) => {
    done(callerLimits(ip, params.transactionId))
  })
}

/** A rate limit per address for the routes of one scope, before the database is queried or anything is drawn. */
export function limitAddresses(scope: FastifyInstance, { clock }: { clock: Clock }, limits: Limits): void {
  const buckets = createTokenBuckets(limits, clock)
  scope.addHook("onRequest", ({ ip }, _reply, done) => {
    const retryAfterSeconds = isLoopback(ip) ? 0 : buckets.takeFrom(buckets.of(networkOf(ip)))
    if (retryAfterSeconds > 0) done(new DomainError("too_many_requests", { retryAfterSeconds }))
    else done()
  })
}

export interface Limits {
  burst: number
  perSecond: number
  /** A bound on memory: beyond this many keys the least recently used are dropped. */
  keys: number
}

export interface Bucket {
  tokens: number
  atMs: number
}

interface TokenBuckets {
  /** The key's bucket; a full one for a new key. */
  of(key: string): Bucket
  /** Takes a token. Returns the seconds until the next one, 0 when there was one. */
  takeFrom(bucket: Bucket): number
  /** Returns a token that bought nothing. */
  giveBackTo(bucket: Bucket): void
}

export function createTokenBuckets({ burst, perSecond, keys }: Limits, clock: Clock): TokenBuckets {
  const buckets = createRecentMap<string, Bucket>(keys)

  return {
    of(key) {
      const known = buckets.get(key)
      if (known !== undefined) return known
      const full = { tokens: burst, atMs: clock.now().getTime() }
      buckets.set(key, full)
      return full
    },
    takeFrom(bucket) {
      const atMs = clock.now().getTime()
      const tokens = Math.min(burst, bucket.tokens + (Math.max(0, atMs - bucket.atMs) / 1000) * perSecond)
      bucket.tokens = tokens < 1 ? tokens : tokens - 1
      bucket.atMs = atMs
      return tokens < 1 ? (1 - tokens) / perSecond : 0
    },
    giveBackTo(bucket) {
      bucket.tokens += 1
    },
  }
}

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

import type { FastifyInstance } from "fastify"
import { createTokenBuckets, type Limits } from "#http/token-buckets"
import { isLoopback, networkOf } from "#kit/client-network"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"

/** A rate limit per address for the routes of one scope, before the database is queried or anything is drawn. */
export function limitAddresses(scope: FastifyInstance, { clock }: { clock: Clock }, limits: Limits): void {
  const buckets = createTokenBuckets(limits, clock)
  scope.addHook("onRequest", ({ ip }, _reply, done) => {
    const retryAfterSeconds = isLoopback(ip) ? 0 : buckets.takeFrom(buckets.of(networkOf(ip)))
    if (retryAfterSeconds > 0) done(new DomainError("too_many_requests", { retryAfterSeconds }))
    else done()
  })
}

import type { FastifyInstance } from "fastify"
import { createTokenBuckets, type Limits } from "#http/token-buckets"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { sellerOf } from "./session-of.ts"

/** A confirmation holds for five minutes, so nobody honest needs more; right ones count, too. */
const tries = { burst: 10, perSecond: 1 / 30, keys: 20_000 }
/** Each is a row that lives for five minutes. */
const challenges = { burst: 30, perSecond: 1 / 10, keys: 20_000 }
/** Each is a request to any address outside, with ten seconds of patience. */
const webhookTests = { burst: 20, perSecond: 1 / 6, keys: 20_000 }

/** A rate limit per person for the calls by which a session proves itself, whatever its address. Call it after the login. */
export function limitTries(scope: FastifyInstance, deps: { clock: Clock }): void {
  limitPeople(scope, deps, tries)
}

export function limitChallenges(scope: FastifyInstance, deps: { clock: Clock }): void {
  limitPeople(scope, deps, challenges)
}

/** However many sessions and keys a person has. */
export function limitWebhookTests(scope: FastifyInstance, deps: { clock: Clock }): void {
  limitPeople(scope, deps, webhookTests)
}

/** Bodies that are refused unread are no tries. */
function limitPeople(scope: FastifyInstance, { clock }: { clock: Clock }, limits: Limits): void {
  const buckets = createTokenBuckets(limits, clock)
  scope.addHook("preHandler", async (request) => {
    const retryAfterSeconds = buckets.takeFrom(buckets.of(sellerOf(request).id))
    if (retryAfterSeconds > 0) throw new DomainError("too_many_requests", { retryAfterSeconds })
  })
}

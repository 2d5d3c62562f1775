import type { Audience as EndpointAudience } from "@tilinta/contract/api/define-endpoint"
import type { FastifyInstance } from "fastify"

/** The audience of a route: the contract's three, and those without an endpoint there. */
export type Audience = EndpointAudience | "webhook" | "health" | "sandbox" | "site"

const audienceKey = "audience"

/** Marks a plugin scope, so that an endpoint can't be served without its audience's login. */
export function markAudience(scope: FastifyInstance, audience: Audience): void {
  scope.decorate(audienceKey, audience)
}

export function audienceOf(scope: FastifyInstance): Audience | undefined {
  return scope.hasDecorator(audienceKey) ? scope.getDecorator<Audience>(audienceKey) : undefined
}

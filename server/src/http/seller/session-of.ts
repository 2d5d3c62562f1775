import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { authenticate } from "#domain/people/sessions/authenticate"
import type { SessionUser } from "#domain/people/sessions/session-user"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { bearerTokenOf } from "#http/bearer-token"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { invariant } from "#kit/invariant"

interface Deps {
  db: Db
  clock: Clock
}

const sessionKey = "sessionUser"

/** Requires a live session in this scope, before a body is even read. */
export function requireSession(scope: FastifyInstance, deps: Deps): void {
  scope.decorateRequest(sessionKey, null)
  scope.addHook("onRequest", async (request) => {
    const user = await sessionOf(deps, request)
    if (user === null) throw new DomainError("unauthenticated")
    request.setDecorator<SessionUser>(sessionKey, user)
  })
}

/** The user of a request in a scope that requires a session. */
export function sellerOf(request: FastifyRequest): SessionUser {
  const user = request.getDecorator<SessionUser | null>(sessionKey)
  invariant(user !== null, "a route outside the seller's scope asks for its seller")
  return user
}

/** The same user as an audit actor. */
export function actorOf(request: FastifyRequest): Actor {
  return { id: sellerOf(request).id, address: request.ip }
}

/** For public routes that also recognise their owner: null without a live session. */
export async function sessionOf(deps: Deps, request: FastifyRequest): Promise<SessionUser | null> {
  const token = bearerTokenOf(request)
  return token === null ? null : authenticate(deps, token)
}

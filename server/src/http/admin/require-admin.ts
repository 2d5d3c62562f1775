import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { actorOf, requireSession, sellerOf } from "#http/seller/session-of"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"

/** Everything in this scope asks for a live session of an admin, as the database says at this moment. */
export function requireAdmin(scope: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  requireSession(scope, deps)
  scope.addHook("onRequest", async (request) => {
    if (sellerOf(request).role !== "admin") throw new DomainError("forbidden")
  })
}

/** The admin of a request in a scope that requires one, as the audit names them. */
export function adminOf(request: FastifyRequest): Actor {
  return actorOf(request)
}

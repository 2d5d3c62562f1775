import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import type { AdmitKey } from "#http/api-key-gate"
import { actorOf, requireSession, sellerOf } from "#http/seller/session-of"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"

/** Requires a live session of an admin, with the role that the database has now. */
export function requireAdmin(scope: FastifyInstance, deps: { db: Db; clock: Clock; admitKey: AdmitKey }): void {
  requireSession(scope, deps)
  scope.addHook("onRequest", async (request) => {
    if (sellerOf(request).role !== "admin") throw new DomainError("forbidden")
  })
}

/** The admin of a request in a scope that requires one, as an audit actor. */
export function adminOf(request: FastifyRequest): Actor {
  return actorOf(request)
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { authenticate } from "#domain/people/sessions/authenticate"
import type { SessionUser } from "#domain/people/sessions/session-user"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { type AdmitKey, looksLikeKey } from "#http/api-key-gate"
import { bearerTokenOf } from "#http/bearer-token"
import { sessionOriginOf } from "#http/session-origin"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { invariant } from "#kit/invariant"

interface Deps {
  db: Db
  clock: Clock
  admitKey: AdmitKey
}

/** A person in a session, or a program with a key, which is never an admin. */
interface Caller extends SessionUser {
  /** Null in a session. */
  apiKeyId: string | null
  /** True for minutes after a step-up in this session; a key never is. */
  isFresh: boolean
  hasInitialPassword: boolean
  /** When a new administrator may do more than look; null where they may. */
  adminRightsFrom: Date | null
}

const sessionKey = "sessionUser"

/**
 * Requires a live session in this scope, or an API key where the endpoint names the scope that lets it in, before a body
 * is even read.
 */
export function requireSession(scope: FastifyInstance, deps: Deps): void {
  scope.decorateRequest(sessionKey, null)
  scope.addHook("onRequest", async (request, reply) => {
    request.setDecorator<Caller>(sessionKey, await callerOf(deps, request, reply))
  })
}

/** The user of a request in a scope that requires a session. */
export function sellerOf(request: FastifyRequest): Caller {
  const user = request.getDecorator<Caller | null>(sessionKey)
  invariant(user !== null, "a route outside the seller's scope asks for its seller")
  return user
}

/** The same user as an audit actor. */
export function actorOf(request: FastifyRequest): Actor {
  const { id, apiKeyId } = sellerOf(request)
  const { address, userAgent } = sessionOriginOf(request)
  return { id, address, apiKeyId, device: userAgent, requestId: request.id }
}

/** The same with the token of the session. */
export function ownerOf(request: FastifyRequest): Actor & { token: string } {
  return { ...actorOf(request), token: tokenOf(request) }
}

/** The actor where an API key acts; null for a person. */
export function programOf(request: FastifyRequest): Actor | null {
  return sellerOf(request).apiKeyId === null ? null : actorOf(request)
}

export function tokenOf(request: FastifyRequest): string {
  return bearerTokenOf(request) ?? ""
}

/** For public routes that also recognise their owner. */
export async function callerOf(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const token = bearerTokenOf(request)
  if (token !== null && looksLikeKey(token)) {
    const key = await deps.admitKey(token, request, reply)
    return { ...key, role: "user", isFresh: false, hasInitialPassword: false, adminRightsFrom: null }
  }
  const user = token === null ? null : await authenticate(deps, { token, address: request.ip })
  if (user === null) throw new DomainError("unauthenticated")
  request.knownCaller = user.id
  return { ...user, apiKeyId: null }
}

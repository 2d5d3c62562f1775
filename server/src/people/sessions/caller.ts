import type { ErrorCode } from "@tilinta/contract/vocabulary/error-codes"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import { storableDevice } from "#kit/request-scope"
import { type AdmitKey, looksLikeKey } from "#people/api-keys/gate"
import type { Access, AccessNotes } from "#platform/audit/access-notes"
import type { Actor } from "#platform/audit/rules"
import { authenticate } from "./authenticate.ts"
import type { SessionOrigin, SessionUser } from "./sessions.ts"

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

export function bearerTokenOf(request: FastifyRequest): string | null {
  const match = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")
  return match?.[1] ?? null
}

/** Facts by which the owner recognises a session. */
export function sessionOriginOf(request: FastifyRequest): SessionOrigin {
  return { address: request.ip, userAgent: storableDevice(request.headers["user-agent"] ?? "") }
}

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

declare module "fastify" {
  interface FastifySchema {
    /** The API's reference names the header where it is set. */
    isIdempotent?: boolean
  }
}

/** Null when the caller sent none. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers["idempotency-key"]
  invariant(
    request.routeOptions.schema?.isIdempotent === true,
    "the endpoint doesn't say that it takes an Idempotency-Key",
  )
  if (key === undefined) return null
  if (typeof key === "string" && /^[\x21-\x7e]{1,200}$/.test(key)) return key
  throw new DomainError("malformed_request", {
    message: "Idempotency-Key inválida: use até 200 caracteres sem espaços.",
  })
}

declare module "fastify" {
  interface FastifyReply {
    /** The code of a refusal (403). */
    refusal?: ErrorCode
  }
  interface FastifyRequest {
    /** The user of the session or key, known also where they may not come in. */
    knownCaller?: string
  }
}

/** Records what was refused to somebody, with the code, the route and the caller. */
export function noteRefusals(app: FastifyInstance, { accessNotes }: { accessNotes: AccessNotes }): void {
  app.addHook("onResponse", (request, { refusal }, done) => {
    if (refusal !== undefined) accessNotes.note(refusalOf(request, refusal))
    done()
  })
}

/** One record holds the refusals of a person, a code and a minute. */
function refusalOf(request: FastifyRequest, code: ErrorCode): Access {
  const { address, userAgent } = sessionOriginOf(request)
  const whence = { address, device: userAgent, requestId: request.id }
  const { knownCaller: id } = request
  return {
    actor: id === undefined ? null : { id, ...whence },
    whence,
    action: "access.refused",
    entity: "endpoint",
    entityId: `${request.method} ${request.routeOptions.url ?? ""}`,
    facts: { code },
  }
}

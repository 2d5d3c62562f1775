import type { ErrorCode } from "@tilinta/contract/vocabulary/error-codes"
import type { ShopRole } from "@tilinta/contract/vocabulary/team"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { DomainError, invariant } from "#kit/errors"
import { storableDevice } from "#kit/request-scope"
import type { Access, AccessNotes } from "#platform/audit/access-notes"
import type { Actor } from "#platform/audit/rules"
import type { SessionOrigin, SessionUser } from "./sessions.ts"

/** A person in a session, or a program with a key, which is never an admin. */
export interface Caller extends SessionUser {
  /** The seller for whose shop they act: themselves, or whose team they are in. In calls about oneself the person. */
  id: string
  /** The person who signed in; the seller where a key acts. */
  person: { id: string; name: string }
  shopRole: ShopRole
  /** Null in a session. */
  apiKeyId: string | null
  /** True for minutes after a step-up in this session; a key never is. */
  isFresh: boolean
  hasInitialPassword: boolean
  /** The owner said that it wasn't them, and nobody has lifted that yet. */
  isFrozen: boolean
  /** When a new administrator may do more than look; null where they may. */
  adminRightsFrom: Date | null
  /** The administrator who only looks at the account; null where the owner or a key acts. */
  viewerId: string | null
}

export const sessionKey = "sessionUser"

/** The user of a request in a scope that requires a session. */
export function sellerOf(request: FastifyRequest): Caller {
  const user = request.getDecorator<Caller | null>(sessionKey)
  invariant(user !== null, "a route outside the seller's scope asks for its seller")
  return user
}

/** The same user as an audit actor: the seller, and who of the team acts for them. */
export function actorOf(request: FastifyRequest): Actor {
  const { id, person, apiKeyId } = sellerOf(request)
  const { address, userAgent } = sessionOriginOf(request)
  const whence = { address, apiKeyId, device: userAgent, requestId: request.id }
  return { id, ...(person.id !== id && { person }), ...whence }
}

/** The same with the token of the session. */
export function ownerOf(request: FastifyRequest): Actor & { token: string } {
  return { ...actorOf(request), token: tokenOf(request) }
}

/** The actor where an API key acts, or another person of the team; null for the seller themselves. */
export function delegateOf(request: FastifyRequest): Actor | null {
  const { id, person, apiKeyId } = sellerOf(request)
  return apiKeyId === null && person.id === id ? null : actorOf(request)
}

export function tokenOf(request: FastifyRequest): string {
  return bearerTokenOf(request) ?? ""
}

export function bearerTokenOf(request: FastifyRequest): string | null {
  const match = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")
  return match?.[1] ?? null
}

/** Facts by which the owner recognises a session. */
export function sessionOriginOf(request: FastifyRequest): SessionOrigin {
  return { address: request.ip, userAgent: storableDevice(request.headers["user-agent"] ?? "") }
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

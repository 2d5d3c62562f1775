import type { Endpoint } from "@tilinta/contract/define-endpoint"
import type { ApiKeyScope } from "@tilinta/contract/vocabulary/api"
import { shopRoles } from "@tilinta/contract/vocabulary/team"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Db, Tx } from "#db/transaction"
import { type Bucket, createTokenBuckets } from "#http/rate-limits"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { hashOfToken, isApiKey, isToken, isViewToken } from "#kit/secrets"
import { authenticate } from "#people/sessions/authenticate"
import { bearerTokenOf, type Caller, sellerOf, sessionKey } from "#people/sessions/caller"
import { findActing } from "#people/team/acting"
import { findUsableKey, touchKey } from "./table.ts"

declare module "fastify" {
  interface FastifyContextConfig {
    /** The scope with which an API key is let in; without one, no key is. */
    keyScope?: ApiKeyScope
    /** The roles in a shop's team that may make the call. */
    roles?: Endpoint["roles"]
    /** Open to each member about themselves, too. */
    orOneself?: true
    /** Open to a session that only looks at somebody's account. */
    viewable?: true
  }
}

interface KeyUser {
  id: string
  apiKeyId: string
}

/** Lets a key in where its scopes allow, or throws why not. */
export type AdmitKey = (key: string, request: FastifyRequest, reply: FastifyReply) => Promise<KeyUser>

/** Fast enough for a shop's rush; a loop that never waits is stopped. */
const perKey = { burst: 120, perSecond: 10, keys: 20_000 }

/** True for whatever is meant as a key, right or wrong. A session's token may begin alike, but has its own length. */
function hasKeyPrefix(token: string): boolean {
  return token.startsWith("tk_") && !isToken(token)
}

/** Counted by this process: each of several nodes has its own count. */
export function createKeyGate(deps: { db: Db; clock: Clock }): AdmitKey {
  const buckets = createTokenBuckets(perKey, deps.clock)

  function takeFrom(bucket: Bucket, reply: FastifyReply): void {
    const retryAfterSeconds = buckets.takeFrom(bucket)
    reply.headers({
      "ratelimit-limit": perKey.burst,
      "ratelimit-remaining": Math.floor(bucket.tokens),
      "ratelimit-reset": Math.ceil((perKey.burst - bucket.tokens) / perKey.perSecond),
    })
    if (retryAfterSeconds > 0) throw new DomainError("too_many_requests", { retryAfterSeconds })
  }

  return async (key, request, reply) => {
    if (!isApiKey(key)) throw new DomainError("api_key_invalid")
    takeFrom(buckets.of(hashOfToken(key).toString("hex")), reply)
    const holder = await authenticateKey(deps, key, request.ip)
    if (holder === null) throw new DomainError("api_key_invalid")
    request.knownCaller = holder.userId

    const scope = request.routeOptions.config.keyScope
    if (scope === undefined) throw new DomainError("api_key_not_accepted")
    if (!holder.scopes.includes(scope)) {
      const message = `Esta chave de API não tem a permissão que este endereço exige: ${scope}.`
      throw new DomainError("api_key_scope_missing", { message })
    }
    return { id: holder.userId, apiKeyId: holder.apiKeyId }
  }
}

const touchEverySeconds = 60

/**
 * Null unless it is a live key of an active user. Looked up at every request, so that a revoked key stops at once.
 * @throws api_key_frozen
 */
async function authenticateKey(
  { db, clock }: { db: Db; clock: Clock },
  key: string,
  address: string,
): Promise<{ apiKeyId: string; userId: string; scopes: readonly ApiKeyScope[] } | null> {
  const now = clock.now()
  const found = await findUsableKey(db, hashOfToken(key), now)
  if (found === undefined) return null
  if (found.isFrozen) throw new DomainError("api_key_frozen")

  const unlessUsedSince = secondsAfter(now, -touchEverySeconds)
  if (found.lastUsedAt === null || found.lastUsedAt < unlessUsedSince) {
    const use = { id: found.id, at: now, address, unlessUsedSince }
    await db.transaction().execute((tx: Tx) => touchKey(tx, use))
  }
  return { apiKeyId: found.id, userId: found.userId, scopes: found.scopes }
}

/**
 * Requires a live session in this scope, or an API key where the endpoint names the scope that lets it in, before a body
 * is even read.
 */
export function requireSession(scope: FastifyInstance, deps: CallerDeps): void {
  scope.decorateRequest(sessionKey, null)
  scope.addHook("onRequest", async (request, reply) => {
    request.setDecorator<Caller>(sessionKey, await callerOf(deps, request, reply))
  })
}

/**
 * The shop that the request names, in its address or by X-Shop; null without one. One that names two is let into neither.
 * A stream or a file is asked for with the same header.
 */
function wantedShopOf(request: FastifyRequest): string | null {
  const header = request.headers["x-shop"]
  const isOfShop = request.routeOptions.url?.startsWith("/api/v1/shops/:id/") === true
  if (!isOfShop) return header === undefined ? null : String(header)
  const { id } = request.params as { id: string }
  if (header !== undefined && header !== id) throw new DomainError("role_forbidden")
  return id
}

/** For public routes that also recognise their owner. */
export async function callerOf(deps: CallerDeps, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const { roles, orOneself } = request.routeOptions.config
  const shopId = roles === "person" ? null : wantedShopOf(request)
  const token = bearerTokenOf(request)
  if (token !== null && hasKeyPrefix(token)) {
    const key = await deps.admitKey(token, request, reply)
    // Those of a frozen account were refused above.
    const ofPeople = {
      isFresh: false,
      hasInitialPassword: false,
      isFrozen: false,
      adminRightsFrom: null,
      viewerId: null,
    }
    if (shopId !== null && shopId !== key.id) throw new DomainError("role_forbidden")
    return { ...key, person: { id: key.id, name: "" }, shopRole: "owner", role: "user", ...ofPeople }
  }
  const user = token === null ? null : await authenticate(deps, { token, address: request.ip })
  if (user === null) throw new DomainError("unauthenticated")
  request.knownCaller = user.viewerId ?? user.id
  const isOneself = orOneself === true && (request.params as { memberId?: string }).memberId === user.id
  const acting = await findActing(deps.db, user, { shopId, roles: isOneself ? shopRoles : roles })
  if (acting === null) throw new DomainError("role_forbidden")
  const { hasShop: _, name, ...rights } = user
  const isFrozen = user.isFrozen || acting.isFrozen
  return {
    ...rights,
    id: acting.shopId,
    person: { id: user.id, name },
    shopRole: acting.role,
    isFrozen,
    apiKeyId: null,
  }
}

/** Requires a live session of an admin, with the role that the database has now. */
export function requireAdmin(scope: FastifyInstance, deps: { db: Db; clock: Clock; admitKey: AdmitKey }): void {
  requireSession(scope, deps)
  scope.addHook("onRequest", async (request) => {
    if (sellerOf(request).role !== "admin") throw new DomainError("forbidden")
  })
}

/**
 * A session that only looks is let into what the contract calls viewable, and into nothing else, whatever the route and its
 * scope would decide.
 */
export function guardViews(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  app.addHook("onRequest", async (request) => {
    const token = bearerTokenOf(request)
    if (token === null || !isViewToken(token) || request.routeOptions.config?.viewable === true) return
    const viewed = await authenticate(deps, { token, address: request.ip })
    if (viewed?.viewerId) request.knownCaller = viewed.viewerId
    throw new DomainError("view_only")
  })
}

interface CallerDeps {
  db: Db
  clock: Clock
  admitKey: AdmitKey
}

import {
  endMyOtherSessionsEndpoint,
  endMySessionEndpoint,
  listMySessionsEndpoint,
} from "@tilinta/contract/api/sessions-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { endOtherSessions, endSession } from "#domain/people/sessions/end-sessions"
import { listSessions } from "#domain/people/sessions/list-sessions"
import { bearerTokenOf } from "#http/bearer-token"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { actorOf, sellerOf } from "./session-of.ts"

export function sessionRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, listMySessionsEndpoint, async ({ request }) => {
    const sessions = await listSessions(deps, sellerOf(request), bearerTokenOf(request) ?? "")
    return {
      sessions: sessions.map(({ id, createdAt, lastUsedAt, address, lastAddress, userAgent, isOwn }) => ({
        _id: id,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
        address,
        lastAddress,
        userAgent,
        current: isOwn,
      })),
    }
  })

  serveEndpoint(app, endMySessionEndpoint, async ({ params, request }) => {
    await endSession(deps, { id: params.id, owner: actorOf(request) })
  })

  serveEndpoint(app, endMyOtherSessionsEndpoint, async ({ request }) => {
    await endOtherSessions(deps, actorOf(request), bearerTokenOf(request) ?? "")
  })
}

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
import { sellerOf } from "./session-of.ts"

export function sessionRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, listMySessionsEndpoint, async ({ request }) => {
    const sessions = await listSessions(deps, sellerOf(request), bearerTokenOf(request) ?? "")
    return {
      sessions: sessions.map(({ id, createdAt, lastUsedAt, address, userAgent, isOwn }) => ({
        _id: id,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
        address,
        userAgent,
        current: isOwn,
      })),
    }
  })

  serveEndpoint(app, endMySessionEndpoint, async ({ params, request }) => {
    await endSession(deps.db, { id: params.id, userId: sellerOf(request).id })
  })

  serveEndpoint(app, endMyOtherSessionsEndpoint, async ({ request }) => {
    await endOtherSessions(deps.db, sellerOf(request).id, bearerTokenOf(request) ?? "")
  })
}

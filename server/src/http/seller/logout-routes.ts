import { logoutEndpoint } from "@tilinta/contract/api/auth-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { closeSession } from "#domain/people/sessions/close-session"
import { bearerTokenOf } from "#http/bearer-token"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { actorOf } from "./session-of.ts"

export function logoutRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, logoutEndpoint, async ({ request }) => {
    await closeSession(deps, { owner: actorOf(request), token: bearerTokenOf(request) ?? "" })
    return { message: "Você saiu da sua conta" }
  })
}

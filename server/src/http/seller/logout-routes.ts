import { logoutEndpoint } from "@tilinta/contract/api/auth-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { closeSession } from "#domain/people/sessions/close-session"
import { bearerTokenOf } from "#http/bearer-token"
import { serveEndpoint } from "#http/serve-endpoint"

export function logoutRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  serveEndpoint(app, logoutEndpoint, async ({ request }) => {
    await closeSession(db, bearerTokenOf(request) ?? "")
    return { message: "Você saiu da sua conta" }
  })
}

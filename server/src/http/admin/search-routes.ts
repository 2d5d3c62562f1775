import { searchAllEndpoint } from "@tilinta/contract/api/search-endpoints"
import type { FastifyInstance } from "fastify"
import type { ReportsDb } from "#db/transaction"
import { searchAll } from "#domain/overviews/search/search-everything"
import { toAllHits } from "#http/search-view"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"

export function adminSearchRoutes(app: FastifyInstance, deps: { db: ReportsDb; clock: Clock }): void {
  serveEndpoint(app, searchAllEndpoint, async ({ query }) => toAllHits(await searchAll(deps, query.q)))
}

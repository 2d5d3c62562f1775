import { searchOwnEndpoint } from "@tilinta/contract/api/search-endpoints"
import type { FastifyInstance } from "fastify"
import type { ReportsDb } from "#db/transaction"
import { searchOwn } from "#domain/overviews/search/search-everything"
import { toOwnHits } from "#http/search-view"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { sellerOf } from "./session-of.ts"

export function searchRoutes(app: FastifyInstance, deps: { db: ReportsDb; clock: Clock }): void {
  serveEndpoint(app, searchOwnEndpoint, async ({ query, request }) =>
    toOwnHits(await searchOwn(deps, { words: query.q, sellerId: sellerOf(request).id })),
  )
}

import { type AllHits, SEARCH_MIN_LENGTH, searchAllEndpoint } from "@tilinta/contract/api/search-endpoints"
import type { FastifyInstance } from "fastify"
import type { ReportsDb } from "#db/transaction"
import { searchAll } from "#domain/overviews/search/search-everything"
import type { AccessNotes } from "#domain/platform/audit/access-notes"
import { toAllHits } from "#http/search-view"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { adminOf } from "./require-admin.ts"

interface Deps {
  db: ReportsDb
  clock: Clock
  accessNotes: AccessNotes
}

/** People of all sellers are found here, so it is recorded like the list of users. */
export function adminSearchRoutes(app: FastifyInstance, deps: Deps): void {
  serveEndpoint(app, searchAllEndpoint, async ({ query: { q: search }, request }) => {
    const hits = toAllHits(await searchAll(deps, search))
    if (search.length >= SEARCH_MIN_LENGTH) {
      deps.accessNotes.note({
        ...{ actor: adminOf(request), action: "everything.searched", entity: "list", entityId: "search" },
        facts: { search, results: countOf(hits) },
      })
    }
    return hits
  })
}

function countOf(hits: AllHits): number {
  return Object.values(hits).reduce((sum, found) => sum + found.length, 0)
}

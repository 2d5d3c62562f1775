import { getPendingCountsEndpoint } from "@tilinta/contract/pending-counts"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { adminOf } from "#people/sessions/caller"
import { readPendingCounts } from "./reads.ts"

export function pendingCountRoutes(app: FastifyInstance, { db, clock }: { db: Db; clock: Clock }): void {
  serveEndpoint(app, getPendingCountsEndpoint, async ({ request }) =>
    readPendingCounts(db, adminOf(request).id, clock.now()),
  )
}

import { acceptLegalTextsEndpoint, listMyLegalTextsEndpoint } from "@tilinta/contract/api/legal-texts-endpoints"
import { legalPaths, legalTitles } from "@tilinta/contract/vocabulary/legal-texts"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { acceptLegalTexts, listLegalTextsOf } from "#domain/platform/legal-texts/accept-legal-texts"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { actorOf, sellerOf } from "./session-of.ts"

export function legalTextRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, listMyLegalTextsEndpoint, async ({ request }) => ({
    legalTexts: (await listLegalTextsOf(deps.db, sellerOf(request).id)).map(toView),
  }))

  serveEndpoint(app, acceptLegalTextsEndpoint, async ({ body, request }) => ({
    legalTexts: (await acceptLegalTexts(deps, actorOf(request), body.versions)).map(toView),
  }))
}

function toView({ kind, version, publishedAt, acceptedAt }: Awaited<ReturnType<typeof listLegalTextsOf>>[number]) {
  return {
    ...{ kind, version, title: legalTitles[kind], path: legalPaths[kind] },
    publishedAt: publishedAt.toISOString(),
    acceptedAt: acceptedAt?.toISOString() ?? null,
  }
}

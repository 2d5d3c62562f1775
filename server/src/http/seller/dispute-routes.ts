import {
  defendDisputeEndpoint,
  listDisputesEndpoint,
  listTransactionDisputesEndpoint,
} from "@tilinta/contract/api/disputes-endpoints"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { defendDispute } from "#domain/money/disputes/defend-dispute"
import { getDispute } from "#domain/money/disputes/get-dispute"
import { listDisputesOfCharge, listSellersDisputes } from "#domain/money/disputes/list-disputes"
import { toDisputeView } from "#http/dispute-view"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { Psp } from "#psp/psp"
import { actorOf, sellerOf } from "./session-of.ts"

export function disputeRoutes(app: FastifyInstance, deps: { db: Db; psp: Psp; clock: Clock }): void {
  const now = () => deps.clock.now()

  serveEndpoint(app, listDisputesEndpoint, async ({ request }) => {
    const { disputes, blockedCents } = await listSellersDisputes(deps.db, sellerOf(request).id)
    return {
      disputes: disputes.map((dispute) => toDisputeView(dispute, now())),
      summary: { count: disputes.length, blocked: reaisFromCents(blockedCents) },
    }
  })

  serveEndpoint(app, listTransactionDisputesEndpoint, async ({ params, request }) => {
    const disputes = await listDisputesOfCharge(deps.db, params.id, sellerOf(request).id)
    return { disputes: disputes.map((dispute) => toDisputeView(dispute, now())) }
  })

  serveEndpoint(app, defendDisputeEndpoint, async ({ params, body, request }) => {
    const actor = actorOf(request)
    const { id } = await defendDispute(deps, { disputeId: params.id, actor, origin: "seller", text: body.text })
    return { dispute: toDisputeView(await getDispute(deps.db, id), now()) }
  })
}

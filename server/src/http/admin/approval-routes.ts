import { listApprovalsEndpoint, refuseApprovalEndpoint } from "@tilinta/contract/api/approvals-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { refuseSecondApproval } from "#domain/people/second-approvals/end-second-approval"
import { listSecondApprovals } from "#domain/people/second-approvals/list-second-approvals"
import { toApprovalView } from "#http/approval-view"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { adminOf } from "./require-admin.ts"

export function approvalRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, listApprovalsEndpoint, async ({ request }) => {
    const approvals = await listSecondApprovals(deps.db, deps.clock.now())
    const own = approvals.filter(({ askedBy }) => askedBy === adminOf(request).id).length
    return { approvals: approvals.map(toApprovalView), summary: { waiting: approvals.length - own, own } }
  })

  serveEndpoint(app, refuseApprovalEndpoint, async ({ params, request }) => {
    const { isOwn } = await refuseSecondApproval(deps, { id: params.id, by: adminOf(request) })
    return { message: isOwn ? "Pedido retirado. Nada mudou." : "Aprovação recusada. Nada mudou." }
  })
}

import { type ApprovalView, listApprovalsEndpoint, refuseApprovalEndpoint } from "@tilinta/contract/approvals"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { adminOf } from "#people/sessions/caller"
import { type NameUsers, nameIn } from "#people/users/user-names"
import { type ListedApproval, listSecondApprovals, refuseSecondApproval } from "./approve.ts"
import type { SecondApproval } from "./rules.ts"

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

function toApprovalView(approval: ListedApproval): ApprovalView {
  const { id, act, subjectId, subjectName, changes, askedBy, askedByName, askedAt, expiresAt } = approval
  return {
    _id: id,
    act,
    subject: { _id: subjectId, name: subjectName },
    changes: [...changes],
    askedBy: { _id: askedBy, name: askedByName },
    askedAt: askedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}

/** Adds the caller's own first approval to an answer in which nothing has changed yet. */
export function pendingWriter(nameUsers: NameUsers) {
  return async (waits: SecondApproval | null) => {
    if (waits === null) return {}
    const { name } = nameIn(await nameUsers([waits.askedBy]), waits.askedBy)
    return { pending: true, approval: toApprovalView({ ...waits, askedByName: name }) }
  }
}

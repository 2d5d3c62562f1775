import { type ApprovalView, listApprovalsEndpoint, refuseApprovalEndpoint } from "../api/approvals-endpoints.ts"
import { defineExample } from "./define-example.ts"

const approval: ApprovalView = {
  _id: "0193a4c2-7c1a-7d3e-9b52-4f0d6c8e1a27",
  act: "setting.change",
  subject: { _id: "TRANSACTION_FEE_PERCENTAGE", name: "TRANSACTION_FEE_PERCENTAGE" },
  changes: [{ field: "value", before: 15, after: 12 }],
  askedBy: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Bruno Dias" },
  askedAt: "2026-11-21T12:00:00.000Z",
  expiresAt: "2026-11-23T12:00:00.000Z",
}

export const approvalsExamples = [
  defineExample(listApprovalsEndpoint, {
    reply: { status: "success", data: { approvals: [approval], summary: { waiting: 1, own: 0 } } },
    failures: [],
  }),
  defineExample(refuseApprovalEndpoint, {
    params: { id: approval._id },
    reply: { status: "success", message: "Aprovação recusada. Nada mudou." },
    failures: ["approval_not_found"],
  }),
]

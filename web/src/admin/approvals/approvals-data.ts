import { queryOptions } from "@tanstack/react-query"
import type {
  createUserEndpoint,
  unfreezeUserEndpoint,
  updateUserEndpoint,
} from "@tilinta/contract/api/admin-users-endpoints"
import type {
  approveWithdrawalEndpoint,
  returnWithdrawalEndpoint,
} from "@tilinta/contract/api/admin-withdrawals-endpoints"
import type {
  ApprovalView,
  listApprovalsEndpoint,
  refuseApprovalEndpoint,
} from "@tilinta/contract/api/approvals-endpoints"
import type { debitDisputeEndpoint, releaseDisputeEndpoint } from "@tilinta/contract/api/disputes-endpoints"
import type { adminRefundTransactionEndpoint } from "@tilinta/contract/api/refunds-endpoints"
import type { createSettingEndpoint, updateSettingEndpoint } from "@tilinta/contract/api/settings-endpoints"
import type {
  acceptUnmatchedPaymentEndpoint,
  returnUnmatchedPaymentEndpoint,
} from "@tilinta/contract/api/unmatched-payments-endpoints"
import { type CallInput, call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const listApprovals = leanEndpoint<typeof listApprovalsEndpoint>("GET", "/api/v1/admin/approvals")
const refuse = leanEndpoint<typeof refuseApprovalEndpoint>("PATCH", "/api/v1/admin/approvals/:id/refuse")
const approveWithdrawal = leanEndpoint<typeof approveWithdrawalEndpoint>(
  "PATCH",
  "/api/v1/admin/withdrawals/:id/approve",
)
const returnWithdrawal = leanEndpoint<typeof returnWithdrawalEndpoint>("PATCH", "/api/v1/admin/withdrawals/:id/return")
const unmatched = "/api/v1/admin/unmatched-payments/:id"
const acceptPayment = leanEndpoint<typeof acceptUnmatchedPaymentEndpoint>("PATCH", `${unmatched}/accept`)
const returnPayment = leanEndpoint<typeof returnUnmatchedPaymentEndpoint>("PATCH", `${unmatched}/return`)
const refund = leanEndpoint<typeof adminRefundTransactionEndpoint>("POST", "/api/v1/admin/transactions/:id/refunds")
const releaseDispute = leanEndpoint<typeof releaseDisputeEndpoint>("PATCH", "/api/v1/admin/disputes/:id/release")
const debitDispute = leanEndpoint<typeof debitDisputeEndpoint>("PATCH", "/api/v1/admin/disputes/:id/debit")
const createUser = leanEndpoint<typeof createUserEndpoint>("POST", "/api/v1/admin/users")
const updateUser = leanEndpoint<typeof updateUserEndpoint>("PATCH", "/api/v1/admin/users/:id")
const unfreezeUser = leanEndpoint<typeof unfreezeUserEndpoint>("PATCH", "/api/v1/admin/users/:id/unfreeze")
const createSetting = leanEndpoint<typeof createSettingEndpoint>("POST", "/api/v1/settings")
const updateSetting = leanEndpoint<typeof updateSettingEndpoint>("PATCH", "/api/v1/settings/:key")

export const approvalsKey = ["admin", "approvals"] as const

export const approvalsQuery = queryOptions({
  queryKey: approvalsKey,
  queryFn: async ({ signal }) => (await call(listApprovals, { signal })).data,
  refetchInterval: 30_000,
})

export function refuseApproval(id: string) {
  return call(refuse, { params: { id } })
}

type NewSetting = CallInput<typeof createSettingEndpoint>["body"]
type NewUser = CallInput<typeof createUserEndpoint>["body"]

/** The same call as the first person's. False when something else waits by then, which needs another person again. */
export async function agreeTo(approval: ApprovalView): Promise<boolean> {
  const { act, subject } = approval
  const id = subject._id
  const wanted = wantedOf(approval)
  switch (act) {
    case "withdrawal.approve":
      return (await call(approveWithdrawal, { params: { id }, body: {} })).data.withdrawal.status !== "pending"
    case "withdrawal.return":
      return isDone(await call(returnWithdrawal, { params: { id }, body: { reason: textOf(approval, "reason") } }))
    case "unmatched_payment.accept": {
      const sellerId = textOf(approval, "sellerId") || null
      return isDone(await call(acceptPayment, { params: { id }, body: { ...notesOf(approval), sellerId } }))
    }
    case "unmatched_payment.return":
      return isDone(await call(returnPayment, { params: { id }, body: notesOf(approval) }))
    case "refund.request": {
      const body = { amount: Number(textOf(approval, "amount")), reason: textOf(approval, "reason") }
      return isDone(await call(refund, { params: { id }, body, headers: { "Idempotency-Key": approval._id } }))
    }
    case "dispute.close": {
      const order = { params: { id }, body: notesOf(approval) }
      const isDebit = textOf(approval, "outcome") === "debit"
      return isDone(isDebit ? await call(debitDispute, order) : await call(releaseDispute, order))
    }
    case "user.create":
      return isDone(await call(createUser, { body: wanted }))
    case "user.change":
      return isDone(await call(updateUser, { params: { id }, body: wanted }))
    case "user.unfreeze":
      return isDone(await call(unfreezeUser, { params: { id } }))
    case "setting.create":
      return isDone(await call(createSetting, { body: { ...wanted, key: id } }))
    case "setting.change":
      return isDone(await call(updateSetting, { params: { key: id }, body: wanted }))
  }
}

/** The values that were asked for, which the server checks like any others. */
function wantedOf({ changes }: ApprovalView) {
  return Object.fromEntries(changes.map(({ field, after }) => [field, after])) as NewSetting & NewUser
}

function textOf({ changes }: ApprovalView, field: string): string {
  return String(changes.find((change) => change.field === field)?.after ?? "")
}

function notesOf(approval: ApprovalView) {
  return { adminNotes: textOf(approval, "adminNotes") }
}

function isDone({ data }: { data?: { pending?: boolean | undefined } | undefined }): boolean {
  return data?.pending !== true
}

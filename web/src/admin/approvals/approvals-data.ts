import { queryOptions } from "@tanstack/react-query"
import type { createUserEndpoint } from "@tilinta/contract/admin-users"
import type { ApprovalView } from "@tilinta/contract/approvals"
import * as heads from "@tilinta/contract/heads"
import type { createSettingEndpoint } from "@tilinta/contract/settings"
import { type CallInput, call } from "#api/client.ts"

export const approvalsKey = ["admin", "approvals"] as const

export const approvalsQuery = queryOptions({
  queryKey: approvalsKey,
  queryFn: async ({ signal }) => (await call(heads.listApprovals, { signal })).data,
  refetchInterval: 30_000,
})

export function refuseApproval(id: string) {
  return call(heads.refuseApproval, { params: { id } })
}

type NewSetting = CallInput<typeof createSettingEndpoint>["body"]
type NewUser = CallInput<typeof createUserEndpoint>["body"]

interface Agreement {
  approval: ApprovalView
  /** The administrator has looked at the bank: the withdrawal was not paid. */
  checked: boolean
}

/** The same call as the first person's. False when something else waits by then, which needs another person again. */
export async function agreeTo({ approval, checked }: Agreement): Promise<boolean> {
  const { act, subject } = approval
  const id = subject._id
  const wanted = wantedOf(approval)
  switch (act) {
    case "withdrawal.approve":
      return (await call(heads.approveWithdrawal, { params: { id }, body: {} })).data.withdrawal.status !== "pending"
    case "withdrawal.return":
      return isDone(
        await call(heads.returnWithdrawal, { params: { id }, body: { reason: textOf(approval, "reason"), checked } }),
      )
    case "unmatched_payment.accept": {
      const sellerId = textOf(approval, "sellerId") || null
      return isDone(
        await call(heads.acceptUnmatchedPayment, { params: { id }, body: { ...notesOf(approval), sellerId } }),
      )
    }
    case "unmatched_payment.return":
      return isDone(await call(heads.returnUnmatchedPayment, { params: { id }, body: notesOf(approval) }))
    case "refund.request": {
      const body = { amount: Number(textOf(approval, "amount")), reason: textOf(approval, "reason") }
      return isDone(
        await call(heads.adminRefundTransaction, {
          params: { id },
          body,
          headers: { "Idempotency-Key": approval._id },
        }),
      )
    }
    case "dispute.close": {
      const order = { params: { id }, body: notesOf(approval) }
      const isDebit = textOf(approval, "outcome") === "debit"
      return isDone(isDebit ? await call(heads.debitDispute, order) : await call(heads.releaseDispute, order))
    }
    case "user.create":
      return isDone(await call(heads.createUser, { body: wanted }))
    case "user.change":
      return isDone(await call(heads.updateUser, { params: { id }, body: wanted }))
    case "user.unfreeze":
      return isDone(await call(heads.unfreezeUser, { params: { id } }))
    case "destination.owner": {
      const owner = textOf(approval, "owner") === "unknown" ? "unknown" : "confirmed_by_person"
      const params = { id, destinationId: textOf(approval, "destinationId") }
      return isDone(
        await call(heads.sayDestinationOwner, { params, body: { owner, reason: textOf(approval, "reason") } }),
      )
    }
    case "automatic_pix.allow": {
      const body = { enabled: true, reason: textOf(approval, "reason") }
      return isDone(await call(heads.setAutomaticPix, { params: { id }, body }))
    }
    case "setting.create":
      return isDone(await call(heads.createSetting, { body: { ...wanted, key: id } }))
    case "setting.change":
      return isDone(await call(heads.updateSetting, { params: { key: id }, body: wanted }))
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

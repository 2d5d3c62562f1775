import type { approveWithdrawalsEndpoint } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import { useRef } from "react"
import { call, type ReplyOf } from "#api/client.ts"
import { createSubmissions } from "#api/idempotency-key.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { listPath } from "./withdrawals-data.ts"

const approve = leanEndpoint<typeof approveWithdrawalsEndpoint>("POST", `${listPath}/approve`)

export type BatchReply = ReplyOf<typeof approveWithdrawalsEndpoint>
export type ApproveBatch = (batch: { ids: string[]; adminNotes: string }) => Promise<BatchReply>

/** The same batch keeps its idempotency key until an answer arrives, so a retry approves nothing twice. */
export function useApproveBatch(): ApproveBatch {
  const submissions = useRef(createSubmissions())

  return async (body) => {
    const reply = await call(approve, { body, headers: { "Idempotency-Key": submissions.current(body).key } })
    submissions.current = createSubmissions()
    return reply
  }
}

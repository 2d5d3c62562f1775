import type { approveWithdrawalsEndpoint } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import * as heads from "@tilinta/contract/heads"
import { useRef } from "react"
import { call, type ReplyOf } from "#api/client.ts"
import { createSubmissions } from "#api/idempotency-key.ts"

export type BatchReply = ReplyOf<typeof approveWithdrawalsEndpoint>
export type ApproveBatch = (batch: { ids: string[]; adminNotes: string }) => Promise<BatchReply>

/** The same batch keeps its idempotency key until an answer arrives, so a retry approves nothing twice. */
export function useApproveBatch(): ApproveBatch {
  const submissions = useRef(createSubmissions())

  return async (body) => {
    const reply = await call(heads.approveWithdrawals, {
      body,
      headers: { "Idempotency-Key": submissions.current(body).key },
    })
    submissions.current = createSubmissions()
    return reply
  }
}

import { useQueryClient } from "@tanstack/react-query"
import type { RequestWithdrawalBody } from "@tilinta/contract/api/withdrawals-endpoints"
import { useRef } from "react"
import { createSubmissions } from "#api/idempotency-key.ts"
import { toast } from "#ui/toast.ts"
import { sellerTexts } from "../seller-texts.ts"
import { requestWithdrawal, withdrawalsKey } from "./withdrawals-data.ts"

export type RequestWithdrawal = (body: RequestWithdrawalBody) => Promise<void>

/**
 * The same request keeps its idempotency key until it is known to have succeeded, even after the dialog was closed and
 * opened again.
 */
export function useRequestWithdrawal(onDone: () => void): RequestWithdrawal {
  const queryClient = useQueryClient()
  const submissions = useRef(createSubmissions())

  return async (body) => {
    try {
      await requestWithdrawal(body, submissions.current(body).key)
      submissions.current = createSubmissions()
      toast.success(sellerTexts.withdrawalRequested)
      onDone()
    } finally {
      void queryClient.invalidateQueries({ queryKey: ["seller", "balance"] })
      void queryClient.invalidateQueries({ queryKey: withdrawalsKey })
    }
  }
}

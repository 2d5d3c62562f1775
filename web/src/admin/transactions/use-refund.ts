import { useQueryClient } from "@tanstack/react-query"
import { useRef } from "react"
import { createSubmissions } from "#api/idempotency-key.ts"
import { toast } from "#ui/toast.ts"
import { adminTexts } from "../admin-texts.ts"
import { type RefundOrder, refundTransaction, transactionsKey } from "./transactions-data.ts"

export type RequestRefund = (order: RefundOrder) => Promise<void>

/**
 * The same request keeps its idempotency key until it is known to have succeeded, even after the dialog was closed and
 * opened again.
 */
export function useRefund(): RequestRefund {
  const queryClient = useQueryClient()
  const submissions = useRef(createSubmissions())

  return async (order) => {
    try {
      const { data } = await refundTransaction(order, submissions.current(order).key)
      submissions.current = createSubmissions()
      if (data.pending === true) toast.success(adminTexts.wishNoted, adminTexts.waitsForAnother)
      else toast.success(adminTexts.refundRequested)
    } finally {
      void queryClient.invalidateQueries({ queryKey: transactionsKey })
    }
  }
}

import { useQueryClient } from "@tanstack/react-query"
import { useRef } from "react"
import { createSubmissions } from "#api/idempotency-key.ts"
import { toast } from "#ui/toast.ts"
import { adminTexts } from "../admin-texts.ts"
import { type RefundOrder, refundTransaction, transactionsKey } from "./transactions-data.ts"

export type RequestRefund = (order: RefundOrder) => Promise<void>

/** Until one is known to be made, the same wish keeps its key: also after the dialog was closed and opened again. */
export function useRefund(): RequestRefund {
  const queryClient = useQueryClient()
  const submissions = useRef(createSubmissions())

  return async (order) => {
    try {
      await refundTransaction(order, submissions.current(order).key)
      submissions.current = createSubmissions()
      toast.success(adminTexts.refundRequested)
    } finally {
      void queryClient.invalidateQueries({ queryKey: transactionsKey })
    }
  }
}

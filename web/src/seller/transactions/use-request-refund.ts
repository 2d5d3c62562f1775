import { useQueryClient } from "@tanstack/react-query"
import { useRef } from "react"
import { createSubmissions } from "#api/idempotency-key.ts"
import { toast } from "#ui/toast.ts"
import { moneyKeys } from "../money-keys.ts"
import { sellerTexts } from "../seller-texts.ts"
import { type RefundOrder, requestRefund } from "./transactions-data.ts"

export type RequestRefund = (id: string, order: RefundOrder) => Promise<void>

/**
 * The same request keeps its idempotency key until it is known to have succeeded, even after the dialog was closed and
 * opened again.
 */
export function useRequestRefund(): RequestRefund {
  const queryClient = useQueryClient()
  const submissions = useRef(createSubmissions())

  return async (id, order) => {
    try {
      await requestRefund(id, order, submissions.current({ id, ...order }).key)
      submissions.current = createSubmissions()
      toast.success(sellerTexts.refundRequested)
    } finally {
      for (const queryKey of moneyKeys) void queryClient.invalidateQueries({ queryKey })
    }
  }
}

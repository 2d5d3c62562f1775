import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import { type PaymentWatch, watchPayment } from "./payment-watch.ts"
import { oncePainted } from "./waking.ts"

/** Polls one Pix at a time, from the moment that the payer sees it. */
export function following(onStatus: (transactionId: string, status: PayerStatus) => void) {
  let watch: PaymentWatch | null = null

  return {
    askNow: () => watch?.askNow(),
    change(transactionId: string | null, isUrgent = false): void {
      oncePainted(() => {
        watch?.stop()
        watch = transactionId === null ? null : watchPayment(transactionId, (status) => onStatus(transactionId, status))
        if (isUrgent) watch?.askNow()
      })
    },
  }
}

import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import { type PaymentWatch, watchPayment } from "./payment-watch.ts"

/** One Pix at a time, or none. */
export function following(onStatus: (transactionId: string, status: PayerStatus) => void) {
  let watch: PaymentWatch | undefined
  return {
    askNow: () => watch?.askNow(),
    change(transactionId: string | null, isUrgent: boolean): void {
      watch?.stop()
      watch = undefined
      if (transactionId === null) return
      watch = watchPayment(transactionId, (status) => onStatus(transactionId, status))
      if (isUrgent) watch.askNow()
    },
  }
}

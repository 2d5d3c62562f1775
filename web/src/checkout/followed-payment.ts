import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import { type PaymentWatch, watchPayment } from "./payment-watch.ts"
import { oncePainted } from "./waking.ts"

/** One Pix at a time, or none; from the moment that the payer sees it. */
export function following(onStatus: (transactionId: string, status: PayerStatus) => void) {
  let watch: PaymentWatch | undefined
  let followed: string | null = null
  let wanted: string | null = null

  function follow(isUrgent: boolean): void {
    if (wanted === followed) return
    watch?.stop()
    const id = wanted
    followed = id
    watch = id === null ? undefined : watchPayment(id, (status) => onStatus(id, status))
    if (isUrgent) watch?.askNow()
  }

  return {
    askNow: () => watch?.askNow(),
    change(transactionId: string | null, isUrgent: boolean): void {
      wanted = transactionId
      oncePainted(() => follow(isUrgent))
    },
  }
}

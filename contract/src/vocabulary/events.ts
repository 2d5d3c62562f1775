import type { SellerStatus } from "./transaction-status.ts"

/** Events of the payer's stream: the same words as `data.status` of payment-status. */
export const paymentStatusEvent = "status"

/** Events of the seller's stream. The first one confirms that the subscription is active. */
export const sellerReadyEvent = "ready"
export const sellerTransactionsEvent = "transactions"

export interface ChangedTransaction {
  _id: string
  status: SellerStatus
  grossAmount: number
  /** Above 0 the event reports a partial refund, not a payment. */
  refundedAmount: number
  checkoutPage: { _id: string | null; title: string }
  payerName: string
}

export interface TransactionsChanged {
  transactions: ChangedTransaction[]
  /** True when the event lists only some of the changes: fetch the list again. */
  more: boolean
}

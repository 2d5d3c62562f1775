import type { SellerStatus } from "./transaction-status.ts"

/** Events of the payer's stream: the same words as `data.status` of payment-status. */
export const paymentStatusEvent = "status"

/** Events of the seller's stream. The first one says that the server listens. */
export const sellerReadyEvent = "ready"
export const sellerTransactionsEvent = "transactions"

export interface ChangedTransaction {
  _id: string
  status: SellerStatus
  grossAmount: number
  /** Above 0 it is no news that it was paid: a part of it went back. */
  refundedAmount: number
  checkoutPage: { _id: string | null; title: string }
  payerName: string
}

export interface TransactionsChanged {
  transactions: ChangedTransaction[]
  /** True when there was more than is told here: read again. */
  more: boolean
}

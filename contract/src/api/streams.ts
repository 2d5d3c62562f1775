import type { ApiTag } from "../vocabulary/api-tags.ts"
import type { Audience } from "./define-endpoint.ts"

/** Server-sent events, which have neither a schema nor an end. */
export interface Stream {
  operationId: string
  path: `/api/v1/${string}`
  audience: Audience
  tag: ApiTag
  summary: string
}

export const paymentStatusStream = {
  operationId: "streamPaymentStatus",
  path: "/api/v1/checkout/payment-status/:transactionId/stream",
  audience: "public",
  tag: "Pagamento",
  summary: "Situação de um Pix, ao vivo (text/event-stream, evento `status`)",
} as const satisfies Stream

export const transactionsStream = {
  operationId: "streamTransactions",
  path: "/api/v1/users/me/events",
  audience: "seller",
  tag: "Transações",
  summary: "Mudanças nas transações do vendedor, ao vivo (text/event-stream, eventos `ready` e `transactions`)",
} as const satisfies Stream

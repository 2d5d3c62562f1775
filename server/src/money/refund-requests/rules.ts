import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { RefundRequestState } from "@tilinta/contract/vocabulary/transactions"

interface Person {
  _id: string
  name: string
}

/** Somebody at the counter asks to undo a sale; an owner or a manager decides. */
export interface RefundRequest {
  id: string
  chargeId: string
  sellerId: string
  /** The part of the sale that may still go back. */
  leftCents: Cents
  description: string
  reason: string
  soldBy: Person
  askedBy: Person
  askedAt: Date
  /** Null while it waits. */
  decidedBy: Person | null
  decidedAt: Date | null
  /** Null while it waits, and where it was declined. */
  refundId: string | null
  isRefused: boolean
}

export function stateOf({ decidedAt, refundId, isRefused }: RefundRequest): RefundRequestState {
  if (decidedAt === null) return "waiting"
  if (isRefused) return "refused"
  return refundId === null ? "declined" : "confirmed"
}

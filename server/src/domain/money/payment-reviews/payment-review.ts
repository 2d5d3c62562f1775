import type { ReviewReason, ReviewStatus } from "@tilinta/contract/vocabulary/review-status"

/** A payment that a person should look at: it waits in suspense, or was credited late or twice. */
export interface PaymentReview {
  id: string
  endToEndId: string
  reason: ReviewReason
  status: ReviewStatus
  /** What an accepted payment became. */
  acceptedChargeId: string | null
  refundId: string | null
  adminNotes: string
  receivedAt: Date
  decidedAt: Date | null
}

/** Nobody has been credited for it. */
export function isInSuspense({ reason }: Pick<PaymentReview, "reason">): boolean {
  return reason !== "late" && reason !== "duplicate"
}

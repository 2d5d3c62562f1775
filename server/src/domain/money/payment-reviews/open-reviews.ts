import type { ReviewReason } from "@tilinta/contract/vocabulary/review-status"
import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { insertReviews } from "./payment-reviews-repository.ts"

export interface NewReview {
  endToEndId: string
  reason: ReviewReason
}

/** With the booking of the payments themselves: none that a person should look at is ever without its review. */
export async function openReviews(tx: Tx, payments: NewReview[], now: Date): Promise<void> {
  await insertReviews(
    tx,
    payments.map((payment) => ({ ...payment, id: newId(), receivedAt: now })),
  )
}

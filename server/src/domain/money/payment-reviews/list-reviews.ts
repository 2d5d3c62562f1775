import { type ListRange, requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import { readFeeBasisPoints } from "#domain/platform/settings/read-setting"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { type Effect, effectsOf, type Suggestion, suggestionFor } from "./review-effects.ts"
import {
  findListedReview,
  type ListedReview,
  listReviewRows,
  type ReviewFilter,
  type ReviewTotals,
  readReviewTotals,
} from "./review-lists-repository.ts"

export interface UnmatchedPayment extends ListedReview {
  suggestion: Suggestion | null
  effects: Record<Suggestion, Effect>
}

/** For the admin, with totals of what the filter selects. */
export async function listReviews(
  db: Db,
  filter: ReviewFilter,
  range: ListRange,
): Promise<{ payments: UnmatchedPayment[]; totals: ReviewTotals[] }> {
  const [reviews, totals, feeBasisPoints] = await Promise.all([
    listReviewRows(db, filter, range),
    readReviewTotals(db, filter),
    readFeeBasisPoints(db),
  ])
  await requireRowBefore(db, "payment_reviews", range, reviews)
  return { payments: reviews.map((review) => withEffects(review, feeBasisPoints)), totals }
}

export async function getReview(db: Db, id: string): Promise<UnmatchedPayment> {
  if (!isId(id)) throw new DomainError("unmatched_payment_not_found")
  const [review, feeBasisPoints] = await Promise.all([findListedReview(db, id), readFeeBasisPoints(db)])
  if (review === null) throw new DomainError("unmatched_payment_not_found")
  return withEffects(review, feeBasisPoints)
}

function withEffects(review: ListedReview, feeBasisPoints: number): UnmatchedPayment {
  return { ...review, suggestion: suggestionFor(review), effects: effectsOf(review, feeBasisPoints) }
}

import { type ListRange, requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import { readFeeBasisPoints } from "#domain/platform/settings/read-setting"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { type Effect, effectsOf, type Suggestion, suggestionFor } from "./unmatched-payment-effects.ts"
import {
  findListedUnmatchedPayment,
  type ListedUnmatchedPayment,
  listUnmatchedPaymentRows,
  readUnmatchedPaymentTotals,
  type UnmatchedPaymentFilter,
  type UnmatchedPaymentTotals,
} from "./unmatched-payment-lists-repository.ts"

export interface UnmatchedPaymentWithEffects extends ListedUnmatchedPayment {
  suggestion: Suggestion | null
  effects: Record<Suggestion, Effect>
}

/** For admins, with totals of everything that the filter selects. */
export async function listUnmatchedPayments(
  db: Db,
  filter: UnmatchedPaymentFilter,
  range: ListRange,
): Promise<{ payments: UnmatchedPaymentWithEffects[]; totals: UnmatchedPaymentTotals[] }> {
  const [unmatchedPayments, totals, feeBasisPoints] = await Promise.all([
    listUnmatchedPaymentRows(db, filter, range),
    readUnmatchedPaymentTotals(db, filter),
    readFeeBasisPoints(db),
  ])
  await requireRowBefore(db, "unmatched_payments", range, unmatchedPayments)
  return { payments: unmatchedPayments.map((unmatched) => withEffects(unmatched, feeBasisPoints)), totals }
}

export async function getUnmatchedPayment(db: Db, id: string): Promise<UnmatchedPaymentWithEffects> {
  if (!isId(id)) throw new DomainError("unmatched_payment_not_found")
  const [unmatched, feeBasisPoints] = await Promise.all([findListedUnmatchedPayment(db, id), readFeeBasisPoints(db)])
  if (unmatched === null) throw new DomainError("unmatched_payment_not_found")
  return withEffects(unmatched, feeBasisPoints)
}

function withEffects(unmatched: ListedUnmatchedPayment, feeBasisPoints: number): UnmatchedPaymentWithEffects {
  return { ...unmatched, suggestion: suggestionFor(unmatched), effects: effectsOf(unmatched, feeBasisPoints) }
}

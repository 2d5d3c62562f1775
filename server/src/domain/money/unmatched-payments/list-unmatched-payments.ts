import type { FeeRule } from "@tilinta/contract/vocabulary/fee"
import { type ListRange, requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import { readChargeTerms } from "#domain/platform/settings/read-setting"
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
  const [unmatchedPayments, totals, { fee }] = await Promise.all([
    listUnmatchedPaymentRows(db, filter, range),
    readUnmatchedPaymentTotals(db, filter),
    readChargeTerms(db),
  ])
  await requireRowBefore(db, "unmatched_payments", range, unmatchedPayments)
  return { payments: unmatchedPayments.map((unmatched) => withEffects(unmatched, fee)), totals }
}

export async function getUnmatchedPayment(db: Db, id: string): Promise<UnmatchedPaymentWithEffects> {
  if (!isId(id)) throw new DomainError("unmatched_payment_not_found")
  const [unmatched, { fee }] = await Promise.all([findListedUnmatchedPayment(db, id), readChargeTerms(db)])
  if (unmatched === null) throw new DomainError("unmatched_payment_not_found")
  return withEffects(unmatched, fee)
}

function withEffects(unmatched: ListedUnmatchedPayment, fee: FeeRule): UnmatchedPaymentWithEffects {
  return { ...unmatched, suggestion: suggestionFor(unmatched), effects: effectsOf(unmatched, fee) }
}

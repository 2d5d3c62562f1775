import { type FeeRule, feeOf } from "@tilinta/contract/vocabulary/fee"
import { type Cents, feeShareOf, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import { isOpenUnmatchedPayment } from "@tilinta/contract/vocabulary/unmatched-payment-status"
import { isUncredited } from "./unmatched-payment.ts"
import type { ListedUnmatchedPayment } from "./unmatched-payment-lists-repository.ts"

/** The effect on each side; a negative amount is debited. */
export interface Effect {
  sellerGetsCents: Cents
  feeCents: Cents
  payerGetsCents: Cents
}

export type Suggestion = "accept" | "return"

const nothing: Effect = { sellerGetsCents: noMoney, feeCents: noMoney, payerGetsCents: noMoney }

/** Late money was asked for, so accepting is suggested; otherwise returning. Null once decided. */
export function suggestionFor({
  status,
  reason,
}: Pick<ListedUnmatchedPayment, "status" | "reason">): Suggestion | null {
  if (!isOpenUnmatchedPayment(status)) return null
  return reason === "late" ? "accept" : "return"
}

/** The effects of both decisions if taken now. `fee` is today's, for money without a charge. */
export function effectsOf(unmatched: ListedUnmatchedPayment, fee: FeeRule): Record<Suggestion, Effect> {
  if (!isOpenUnmatchedPayment(unmatched.status)) return { accept: nothing, return: nothing }
  return isUncredited(unmatched) ? uncreditedEffects(unmatched, fee) : creditedEffects(unmatched)
}

function uncreditedEffects(unmatched: ListedUnmatchedPayment, fee: FeeRule): Record<Suggestion, Effect> {
  const leftCents = subtractCents(unmatched.amountCents, unmatched.returnedCents)
  const feeCents = feeOf(unmatched.charge?.fee ?? fee, leftCents)
  return {
    accept: { sellerGetsCents: subtractCents(leftCents, feeCents), feeCents, payerGetsCents: noMoney },
    return: { ...nothing, payerGetsCents: leftCents },
  }
}

function creditedEffects({ charge }: ListedUnmatchedPayment): Record<Suggestion, Effect> {
  if (charge === null) return { accept: nothing, return: nothing }
  const leftCents = subtractCents(charge.amountCents, charge.live.grossCents)
  const paid = { grossCents: charge.amountCents, feeCents: charge.feeCents }
  const feeCents = feeShareOf(leftCents, paid, charge.live)
  const back: Effect = {
    sellerGetsCents: subtractCents(noMoney, subtractCents(leftCents, feeCents)),
    feeCents: subtractCents(noMoney, feeCents),
    payerGetsCents: leftCents,
  }
  return { accept: nothing, return: back }
}

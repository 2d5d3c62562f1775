import type { Cents } from "#kit/money"
import { feeRevenue, pspClearing, sellerAvailable, suspense } from "#ledger/accounts"
import type { Posting } from "#ledger/post-transactions"

interface CreditedPayment {
  provider: string
  sellerId: string
  amountCents: Cents
  feeCents: Cents
}

/** Books gross in, then fee out: the seller's statement shows both lines. */
export function paymentPostings({ provider, sellerId, amountCents, feeCents }: CreditedPayment): Posting[] {
  const seller = sellerAvailable(sellerId)
  const gross: Posting = { debit: pspClearing(provider), credit: seller, amountCents }
  if (feeCents === 0) return [gross]
  return [gross, { debit: seller, credit: feeRevenue, amountCents: feeCents }]
}

/** Money that can't be credited yet waits in suspense, where it is visible. */
export function unmatchedPaymentPostings({
  provider,
  amountCents,
}: {
  provider: string
  amountCents: Cents
}): Posting[] {
  return [{ debit: pspClearing(provider), credit: suspense(provider), amountCents }]
}

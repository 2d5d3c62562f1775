import type { Cents } from "#kit/money"
import { feeRevenue, pspClearing, sellerAvailable, suspense } from "#ledger/accounts"
import type { Posting } from "#ledger/post-transactions"

interface CreditedPayment {
  provider: string
  sellerId: string
  amountCents: Cents
  feeCents: Cents
}

/** Gross in, then fee out: the seller's statement shows both lines. */
export function paymentPostings({ provider, sellerId, amountCents, feeCents }: CreditedPayment): Posting[] {
  const seller = sellerAvailable(sellerId)
  const gross: Posting = { debit: pspClearing(provider), credit: seller, amountCents }
  if (feeCents === 0) return [gross]
  return [gross, { debit: seller, credit: feeRevenue, amountCents: feeCents }]
}

/** Real money that nobody can be credited for yet waits where it is seen. */
export function unmatchedPaymentPostings({
  provider,
  amountCents,
}: {
  provider: string
  amountCents: Cents
}): Posting[] {
  return [{ debit: pspClearing(provider), credit: suspense(provider), amountCents }]
}

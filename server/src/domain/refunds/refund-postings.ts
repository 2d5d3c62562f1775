import { invariant } from "#kit/invariant"
import { type Cents, subtractCents } from "#kit/money"
import { type AccountId, feeRevenue, pspClearing, refundsUnderWay, sellerAvailable, suspense } from "#ledger/accounts"
import type { LedgerTransaction, Posting } from "#ledger/post-transactions"
import type { Refund } from "./refund.ts"

/** At the request the seller's part leaves what the seller may spend, and the fee's part what the platform earned. */
export function requestPostings(refund: Refund, at: Date): LedgerTransaction {
  const underWay = refundsUnderWay(refund.provider)
  return movement("refund", refund, at, partsOf(refund).map(part(underWay)))
}

/** The money has left the provider, which now holds so much less for us. */
export function completedPostings(refund: Refund, at: Date): LedgerTransaction {
  const { provider, amountCents } = refund
  const posting = { debit: refundsUnderWay(provider), credit: pspClearing(provider), amountCents }
  return movement("refund-completed", refund, at, [posting])
}

/** The provider's definite no: everything is where it was. */
export function returnedPostings(refund: Refund, at: Date): LedgerTransaction {
  const taken = partsOf(refund).map(part(refundsUnderWay(refund.provider)))
  const back = taken.map(({ debit, credit, amountCents }) => ({ debit: credit, credit: debit, amountCents }))
  return movement("refund-returned", refund, at, back)
}

/** It has left already, so it is booked whatever the accounts hold: only this kind may take them below zero. */
export function byBankPostings(refund: Refund, at: Date): LedgerTransaction {
  return movement("refund-by-bank", refund, at, partsOf(refund).map(part(pspClearing(refund.provider))))
}

/** Whose money it is: the seller's and the platform's, or nobody's yet. */
function partsOf(refund: Refund): { account: AccountId; amountCents: Cents }[] {
  const { sellerId, amountCents, feeCents, provider } = refund
  if (sellerId === null) return [{ account: suspense(provider), amountCents }]
  const parts = [
    { account: sellerAvailable(sellerId), amountCents: subtractCents(amountCents, feeCents) },
    { account: feeRevenue, amountCents: feeCents },
  ]
  return parts.filter((each) => each.amountCents > 0)
}

function part(credit: AccountId) {
  return ({ account, amountCents }: { account: AccountId; amountCents: Cents }): Posting => {
    invariant(amountCents > 0, "a refund moves nothing")
    return { debit: account, credit, amountCents }
  }
}

function movement(
  kind: LedgerTransaction["kind"],
  { id, sellerId }: Refund,
  occurredAt: Date,
  postings: Posting[],
): LedgerTransaction {
  return { kind, reference: id, sellerId, occurredAt, postings }
}

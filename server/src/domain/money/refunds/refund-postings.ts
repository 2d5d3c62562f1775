import { type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import { invariant } from "#kit/invariant"
import {
  type AccountId,
  feeRevenue,
  pspClearing,
  refundsUnderWay,
  sellerAvailable,
  sellerBlocked,
  suspense,
} from "#ledger/accounts"
import type { LedgerTransaction, Posting } from "#ledger/post-transactions"
import type { Refund } from "./refund.ts"

/** At the request the seller's part leaves the available balance, and the fee's part the platform's revenue. */
export function refundRequestPostings(refund: Refund, at: Date): LedgerTransaction {
  const underWay = refundsUnderWay(refund.provider)
  return movement("refund", refund, at, partsOf(refund).map(part(underWay)))
}

/** The money has left the provider, whose balance for us decreases. */
export function completedRefundPostings(refund: Refund, at: Date): LedgerTransaction {
  const { provider, amountCents } = refund
  const posting = { debit: refundsUnderWay(provider), credit: pspClearing(provider), amountCents }
  return movement("refund-completed", refund, at, [posting])
}

/** After a definite refusal everything returns to where it was. */
export function returnedPostings(refund: Refund, at: Date): LedgerTransaction {
  const taken = partsOf(refund).map(part(refundsUnderWay(refund.provider)))
  const back = taken.map(({ debit, credit, amountCents }) => ({ debit: credit, credit: debit, amountCents }))
  return movement("refund-returned", refund, at, back)
}

/** The money has left already, so it is booked whatever the accounts hold. */
export function byBankPostings(refund: Refund, at: Date, fromBlockedCents = noMoney): LedgerTransaction {
  const parts = partsOf(refund).flatMap((each) =>
    each.isSellers ? withBlocked(refund, each, fromBlockedCents) : [each],
  )
  const postings = parts.map(part(pspClearing(refund.provider)))
  return movement(
    "refund-by-bank",
    refund,
    at,
    postings.map((posting) => ({ ...posting, mayOverdraw: true })),
  )
}

/** Money blocked for the dispute pays first; the rest becomes the seller's debt. */
function withBlocked({ sellerId }: Refund, sellers: Part, fromBlockedCents: Cents): Part[] {
  invariant(sellerId !== null && fromBlockedCents <= sellers.amountCents, "the blocked amount exceeds the refund")
  const parts = [
    { ...sellers, account: sellerBlocked(sellerId), amountCents: fromBlockedCents },
    { ...sellers, amountCents: subtractCents(sellers.amountCents, fromBlockedCents) },
  ]
  return parts.filter((each) => each.amountCents > 0)
}

interface Part {
  account: AccountId
  amountCents: Cents
  isSellers: boolean
}

/** Parts by owner: the seller's and the platform's, or suspense. */
function partsOf(refund: Refund): Part[] {
  const { sellerId, amountCents, feeCents, provider } = refund
  if (sellerId === null) return [{ account: suspense(provider), amountCents, isSellers: false }]
  const parts = [
    { account: sellerAvailable(sellerId), amountCents: subtractCents(amountCents, feeCents), isSellers: true },
    { account: feeRevenue, amountCents: feeCents, isSellers: false },
  ]
  return parts.filter((each) => each.amountCents > 0)
}

function part(credit: AccountId) {
  return ({ account, amountCents }: Part): Posting => {
    invariant(amountCents > 0, "a refund of zero")
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

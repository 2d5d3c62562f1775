import type { Cents } from "@tilinta/contract/vocabulary/money"
import { invariant } from "#kit/invariant"
import { type AccountId, payoutsUnderWay, pspClearing, sellerAvailable, sellerHeld } from "#ledger/accounts"
import type { LedgerTransaction } from "#ledger/post-transactions"

interface Movement {
  id: string
  sellerId: string
  amountCents: Cents
  provider: string | null
}

/** At the request the money leaves the available balance, so two requests can't both have it. */
export function withdrawalRequestPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const { sellerId } = withdrawal
  return movement("withdrawal", withdrawal, at, sellerAvailable(sellerId), sellerHeld(sellerId))
}

/** Cancelled or rejected before sending: returned in full. A withdrawal returns at most once, whichever way. */
export function returnPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const { sellerId } = withdrawal
  return movement("withdrawal-returned", withdrawal, at, sellerHeld(sellerId), sellerAvailable(sellerId))
}

export function sentPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const underWay = payoutsUnderWay(providerOf(withdrawal))
  return movement("payout", withdrawal, at, sellerHeld(withdrawal.sellerId), underWay)
}

/** The money has left the provider, whose balance for us decreases. */
export function completedWithdrawalPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const provider = providerOf(withdrawal)
  return movement("payout-completed", withdrawal, at, payoutsUnderWay(provider), pspClearing(provider))
}

/** The provider refused definitively. */
export function refusedPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const underWay = payoutsUnderWay(providerOf(withdrawal))
  return movement("withdrawal-returned", withdrawal, at, underWay, sellerAvailable(withdrawal.sellerId))
}

/** A person made the transfer from our account at the provider, so it was never under way. */
export function paidByHandPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const clearing = pspClearing(providerOf(withdrawal))
  return movement("payout-completed", withdrawal, at, sellerHeld(withdrawal.sellerId), clearing)
}

/** The money went back to the seller and has left all the same, so it is booked whatever the balance holds. */
export function paidAfterRefusalPostings(withdrawal: Movement, at: Date): LedgerTransaction {
  const { sellerId, amountCents } = withdrawal
  const clearing = pspClearing(providerOf(withdrawal))
  const posting = { debit: sellerAvailable(sellerId), credit: clearing, amountCents, mayOverdraw: true } as const
  return { kind: "payout-completed", reference: withdrawal.id, sellerId, occurredAt: at, postings: [posting] }
}

/** A paid withdrawal came back to our account, whole or in part. `returnedCents` is all that has come back so far. */
export function cameBackPostings(withdrawal: Movement, part: Returned, at: Date): LedgerTransaction {
  const { id, sellerId } = withdrawal
  const debit = pspClearing(providerOf(withdrawal))
  const posting = { debit, credit: sellerAvailable(sellerId), amountCents: part.amountCents }
  const reference = `${id}/${part.returnedCents}`
  return { kind: "payout-returned", reference, sellerId, occurredAt: at, postings: [posting] }
}

interface Returned {
  amountCents: Cents
  returnedCents: Cents
}

function providerOf({ id, provider }: Movement): string {
  invariant(provider !== null, `withdrawal ${id} has no provider`)
  return provider
}

function movement(
  kind: LedgerTransaction["kind"],
  { id, sellerId, amountCents }: Movement,
  occurredAt: Date,
  debit: AccountId,
  credit: AccountId,
): LedgerTransaction {
  return { kind, reference: id, sellerId, occurredAt, postings: [{ debit, credit, amountCents }] }
}

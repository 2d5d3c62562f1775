import { invariant } from "#kit/invariant"
import type { Cents } from "#kit/money"
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

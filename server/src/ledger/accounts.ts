/** The chart of accounts is in docs/ledger.md. Balance = credits - debits. */
export type AccountId = string & { readonly __unit: "ledger account" }

export const feeRevenue = "fee-revenue" as AccountId

/** Money that the provider holds for us: debited by what comes in, so its balance is negative. */
export function pspClearing(provider: string): AccountId {
  return `psp-clearing:${provider}` as AccountId
}

/** Money that came in and that nobody could be credited for yet. */
export function suspense(provider: string): AccountId {
  return `suspense:${provider}` as AccountId
}

export function sellerAvailable(sellerId: string): AccountId {
  return `seller-available:${sellerId}` as AccountId
}

/** The seller's, in withdrawals that are asked for and not yet sent. */
export function sellerHeld(sellerId: string): AccountId {
  return `seller-held:${sellerId}` as AccountId
}

/** The seller's, disputed and not decided. */
export function sellerBlocked(sellerId: string): AccountId {
  return `seller-blocked:${sellerId}` as AccountId
}

/** On its way back to payers, and not yet known to have arrived. */
export function refundsUnderWay(provider: string): AccountId {
  return `refunds-under-way:${provider}` as AccountId
}

/** Handed to the provider to be paid out, and not yet known to have arrived. */
export function payoutsUnderWay(provider: string): AccountId {
  return `payouts-under-way:${provider}` as AccountId
}

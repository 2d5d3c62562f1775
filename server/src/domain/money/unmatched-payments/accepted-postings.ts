import type { Charge } from "#domain/selling/charges/charge"
import { invariant } from "#kit/invariant"
import { feeRevenue, sellerAvailable, suspense } from "#ledger/accounts"
import type { LedgerTransaction, Posting } from "#ledger/post-transactions"

/** Booked as if it had been credited on arrival: gross in, then fee out. */
export function acceptedPostings(charge: Charge, at: Date): LedgerTransaction {
  const { endToEndId, sellerId, provider, amountCents, feeCents } = charge
  invariant(endToEndId !== null, `charge ${charge.id} has no payment`)
  const seller = sellerAvailable(sellerId)
  const gross: Posting = { debit: suspense(provider), credit: seller, amountCents }
  const fee: Posting = { debit: seller, credit: feeRevenue, amountCents: feeCents }
  const postings = feeCents === 0 ? [gross] : [gross, fee]
  return { kind: "payment-accepted", reference: endToEndId, sellerId, occurredAt: at, postings }
}

import { type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Day } from "#kit/clock"
import { sellerAvailable, sellerReserved } from "#ledger/accounts"
import type { LedgerTransaction } from "#ledger/post-transactions"

/** `place` distinguishes several holds until the same day. */
export function heldPostings({ sellerId, dueOn, cents }: HeldShare, place: string, at: Date): LedgerTransaction {
  const posting = { debit: sellerAvailable(sellerId), credit: sellerReserved(sellerId), amountCents: cents }
  const reference = `${sellerId}/${dueOn}/${place}`
  return { kind: "reserve-held", reference, sellerId, occurredAt: at, postings: [posting] }
}

export function releasedPostings({ sellerId, dueOn, cents }: HeldShare, at: Date): LedgerTransaction {
  return back("reserve-released", { sellerId, reference: `${sellerId}/${dueOn}`, cents }, at)
}

/** Named by the debit that needs it. */
export function drawnPostings(sellerId: string, cents: Cents, debit: LedgerTransaction): LedgerTransaction {
  const { kind, reference, occurredAt, bookedAt = occurredAt } = debit
  return { ...back("reserve-drawn", { sellerId, reference: `${kind}/${reference}`, cents }, occurredAt), bookedAt }
}

interface Back {
  sellerId: string
  reference: string
  cents: Cents
}

function back(
  kind: "reserve-drawn" | "reserve-released",
  { sellerId, reference, cents }: Back,
  occurredAt: Date,
): LedgerTransaction {
  const posting = { debit: sellerReserved(sellerId), credit: sellerAvailable(sellerId), amountCents: cents }
  return { kind, reference, sellerId, occurredAt, postings: [posting] }
}

/** The first of these parts, together no more than the amount. */
export function sharesWithin(shares: readonly HeldShare[], mostCents: Cents): HeldShare[] {
  let left = mostCents
  return shares.flatMap((share) => {
    const cents = Math.max(Math.min(share.cents, left), 0) as Cents
    left = subtractCents(left, cents)
    return cents > noMoney ? [{ ...share, cents }] : []
  })
}

/** Money of one seller that is due on one day. */
export interface HeldShare {
  sellerId: string
  dueOn: Day
  cents: Cents
}

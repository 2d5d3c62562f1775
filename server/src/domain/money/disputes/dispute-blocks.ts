import { isTakenOrOpen } from "@tilinta/contract/vocabulary/dispute-status"
import { addCents, type Cents, feeShareOf, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Dispute } from "./dispute.ts"

interface GrossAndFee {
  grossCents: Cents
  feeCents: Cents
}

export interface Block {
  /** The part of the disputed amount that the bank may still take. */
  openCents: Cents
  /** The seller's part of that; the fee's part stays where it is until the bank takes it. */
  netCents: Cents
}

type Disputed = Pick<Dispute, "amountCents" | "debitedCents" | "state">

/**
 * The amount to block for each dispute of a payment, oldest first: what is left of the dispute, and in total never more
 * than what is left of the payment. `returned` has been refunded or is on its way.
 */
export function blocksOf(paid: GrossAndFee, returned: GrossAndFee, disputes: Disputed[]): Block[] {
  let gone = returned
  return disputes.map((dispute) => {
    const openCents = leftOf(dispute, subtractCents(paid.grossCents, gone.grossCents))
    const feeCents = feeShareOf(openCents, paid, gone)
    gone = { grossCents: addCents(gone.grossCents, openCents), feeCents: addCents(gone.feeCents, feeCents) }
    return { openCents, netCents: subtractCents(openCents, feeCents) }
  })
}

/** An accepted dispute waits for the bank to take the money; other outcomes release it. */
function leftOf(dispute: Disputed, paymentLeftCents: Cents): Cents {
  if (!isTakenOrOpen(dispute.state)) return noMoney
  const leftCents = subtractCents(dispute.amountCents, dispute.debitedCents)
  return Math.max(0, Math.min(leftCents, paymentLeftCents)) as Cents
}

import {
  type DefenceState,
  type DisputeReason,
  type DisputeState,
  isOpenDispute,
  isTakenOrOpen,
} from "@tilinta/contract/vocabulary/dispute-status"
import { addCents, type Cents, feeShareOf, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import { invariant } from "#kit/errors"
import { sellerAvailable, sellerBlocked } from "#ledger/accounts"
import type { LedgerTransaction, Posting } from "#ledger/post-transactions"

/** A payment that its payer disputes at the bank. */
export interface Dispute {
  id: string
  provider: string
  /** Null when an admin registered it. */
  pspDisputeId: string | null
  endToEndId: string
  /** Both null for an uncredited payment. */
  chargeId: string | null
  sellerId: string | null
  /** The disputed amount: all or a part of the payment. */
  amountCents: Cents
  /** The amount in the seller's blocked account for it now. */
  blockedCents: Cents
  /** The amount that the bank has taken for it. */
  debitedCents: Cents
  movements: number
  reason: DisputeReason
  details: string
  state: DisputeState
  respondUntil: Date | null
  openedAt: Date
  reportedAt: Date | null
  closedAt: Date | null
  /** Nothing is blocked for it from this moment on. */
  settledAt: Date | null
  /** Text of the bank's analyst. */
  analysis: string
  defence: string | null
  defenceState: DefenceState
  defendedAt: Date | null
  attempts: number
  registeredBy: string | null
  adminNotes: string
  createdAt: Date
}

export function isOpen({ state }: Pick<Dispute, "state">): boolean {
  return isOpenDispute(state)
}

/** The refund id under which an admin books the debit, until the bank reports its own. */
export function handDebitName({ id }: Pick<Dispute, "id">): string {
  return id.replaceAll("-", "")
}

/** Moves the difference between the blocked and the wanted amount; null when there is none. */
export function blockPostings(dispute: Dispute, blockedCents: Cents, at: Date): LedgerTransaction | null {
  const { id, sellerId, movements } = dispute
  const change = subtractCents(blockedCents, dispute.blockedCents)
  if (change === noMoney) return null
  invariant(sellerId !== null, `dispute ${id} has no seller whose money it could block`)
  const [available, blocked] = [sellerAvailable(sellerId), sellerBlocked(sellerId)]
  const head = { reference: movementName(dispute, movements + 1), sellerId, occurredAt: at }
  if (change > noMoney) {
    const posting: Posting = { debit: available, credit: blocked, amountCents: change, mayOverdraw: true }
    return { ...head, kind: "dispute-blocked", postings: [posting] }
  }
  const amountCents = subtractCents(noMoney, change)
  return { ...head, kind: "dispute-released", postings: [{ debit: blocked, credit: available, amountCents }] }
}

/** For so many days after a Pix its payer may contest it at their bank (MED). */
export const DISPUTABLE_DAYS = 80

/** Movements between available and blocked; debits by the bank are booked as refunds. */
export const disputeKinds = ["dispute-blocked", "dispute-released"] as const

function movementName({ id }: Pick<Dispute, "id">, number: number): string {
  return `${id}/${number}`
}

/** References of all transactions booked for these disputes. */
export function movementsOf(disputes: Pick<Dispute, "id" | "movements">[]): string[] {
  return disputes.flatMap((dispute) =>
    Array.from({ length: dispute.movements }, (_, index) => movementName(dispute, index + 1)),
  )
}

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

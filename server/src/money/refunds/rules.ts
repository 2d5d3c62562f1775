import { type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { RefundOrigin, RefundStatus } from "@tilinta/contract/vocabulary/transactions"
import { type Day, daysAfter, saoPauloDay } from "#kit/clock"
import { invariant } from "#kit/errors"
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
import type { Order } from "#platform/order-macs/macs"
import type { Charge } from "#selling/charges/rules"

/** Money returned to a payer, completed or under way. */
export interface Refund {
  id: string
  endToEndId: string
  /** Its id at the provider, one for ever. */
  pspRefundId: string
  provider: string
  /** Both null for the refund of an uncredited payment. */
  chargeId: string | null
  sellerId: string | null
  amountCents: Cents
  /** The share of the fee returned with it. */
  feeCents: Cents
  origin: RefundOrigin
  status: RefundStatus
  reason: string
  failureReason: string | null
  returnId: string | null
  requestedBy: string | null
  /** True when the bank took it because of a dispute. */
  isDispute: boolean
  /** The dispute, if known. */
  disputeId: string | null
  attempts: number
  createdAt: Date
  processedAt: Date | null
  /** By the bank's clock, if it reports the time; null until the money has been returned. */
  settledAt: Date | null
  /** When a worker was last about to send it. */
  sendingAt: Date | null
  /** Null for what the bank began. */
  mac: string | null
}

/** The refund as somebody asked for it. The payment decides where it arrives, and the id tells the moment. */
export function refundOrder(refund: Refund): Order {
  const { id, endToEndId, pspRefundId, provider, chargeId, sellerId, amountCents, feeCents } = refund
  const { origin, reason, requestedBy } = refund
  const money = [endToEndId, pspRefundId, provider, chargeId, sellerId, amountCents, feeCents]
  return { act: "refund.request", id, facts: [...money, origin, reason, requestedBy] }
}

/** 32 alphanumerics, unique to one refund for ever. */
export function pspRefundIdOf(refundId: string): string {
  return refundId.replaceAll("-", "")
}

/** The first answer again, whatever became of the refund. */
export function asRequested(refund: Refund): Refund {
  return {
    ...refund,
    status: "processing",
    failureReason: null,
    returnId: null,
    isDispute: false,
    disputeId: null,
    attempts: 0,
    processedAt: null,
    settledAt: null,
  }
}

/** At the request the seller's part leaves the available balance, and the fee's part the platform's revenue. */
export function refundRequestPostings(refund: Refund, at: Date): LedgerTransaction {
  const underWay = refundsUnderWay(refund.provider)
  return movement("refund", refund, at, sharesOf(refund).map(postingTo(underWay)))
}

/** The money has left the provider, whose balance for us decreases. */
export function completedRefundPostings(refund: Refund, at: Date): LedgerTransaction {
  const { provider, amountCents } = refund
  const posting = { debit: refundsUnderWay(provider), credit: pspClearing(provider), amountCents }
  return movement("refund-completed", refund, at, [posting])
}

/** After a definite refusal everything returns to where it was. */
export function returnedPostings(refund: Refund, at: Date): LedgerTransaction {
  const taken = sharesOf(refund).map(postingTo(refundsUnderWay(refund.provider)))
  const back = taken.map(({ debit, credit, amountCents }) => ({ debit: credit, credit: debit, amountCents }))
  return movement("refund-returned", refund, at, back)
}

/** The money has left already, so it is booked whatever the accounts hold. */
export function byBankPostings(refund: Refund, at: Date, fromBlockedCents = noMoney): LedgerTransaction {
  const shares = sharesOf(refund).flatMap((each) =>
    each.isSellers ? withBlocked(refund, each, fromBlockedCents) : [each],
  )
  const postings = shares.map(postingTo(pspClearing(refund.provider)))
  return movement(
    "refund-by-bank",
    refund,
    at,
    postings.map((posting) => ({ ...posting, mayOverdraw: true })),
  )
}

/** Money blocked for the dispute pays first; the rest becomes the seller's debt. */
function withBlocked({ sellerId }: Refund, sellers: RefundShare, fromBlockedCents: Cents): RefundShare[] {
  invariant(sellerId !== null && fromBlockedCents <= sellers.amountCents, "the blocked amount exceeds the refund")
  const shares = [
    { ...sellers, account: sellerBlocked(sellerId), amountCents: fromBlockedCents },
    { ...sellers, amountCents: subtractCents(sellers.amountCents, fromBlockedCents) },
  ]
  return shares.filter((each) => each.amountCents > 0)
}

interface RefundShare {
  account: AccountId
  amountCents: Cents
  isSellers: boolean
}

/** Parts by owner: the seller's and the platform's, or suspense. */
function sharesOf(refund: Refund): RefundShare[] {
  const { sellerId, amountCents, feeCents, provider } = refund
  if (sellerId === null) return [{ account: suspense(provider), amountCents, isSellers: false }]
  const shares = [
    { account: sellerAvailable(sellerId), amountCents: subtractCents(amountCents, feeCents), isSellers: true },
    { account: feeRevenue, amountCents: feeCents, isSellers: false },
  ]
  return shares.filter((each) => each.amountCents > 0)
}

function postingTo(credit: AccountId) {
  return ({ account, amountCents }: RefundShare): Posting => {
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

/** The rules of Pix give receivers this long to return a payment. */
const REFUNDABLE_DAYS = 90

/** The seller's last day for a refund. Null for an unpaid charge. */
export function refundableUntil({ paidAt }: Pick<Charge, "paidAt">): Day | null {
  return paidAt === null ? null : daysAfter(saoPauloDay(paidAt), REFUNDABLE_DAYS)
}

/** An admin may still try: then the bank decides. */
export function isTooLateToRefund(charge: Pick<Charge, "paidAt">, now: Date): boolean {
  const lastDay = refundableUntil(charge)
  return lastDay !== null && saoPauloDay(now) > lastDay
}

import type { TimelineEvent } from "@tilinta/contract/api/admin-transactions-endpoints"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import type { Dispute } from "#domain/money/disputes/dispute"
import { disputeKinds, movementsOf } from "#domain/money/disputes/dispute-movements"
import { listDisputesOf } from "#domain/money/disputes/list-disputes"
import { listPaymentsOfCharge } from "#domain/money/payments/list-payments-of-charge"
import { paymentMailKey } from "#domain/money/payments/payment-mails"
import { listRefunds } from "#domain/money/refunds/list-refunds"
import type { Refund } from "#domain/money/refunds/refund"
import { findMailSentAt } from "#domain/platform/mails/enqueue-mails"
import type { VerifiedCharge } from "#domain/selling/charges/charge"
import { getAnyCharge } from "#domain/selling/charges/find-charge"
import type { ListedChargeOfSeller } from "#domain/selling/charges/list-charges"
import type { Clock } from "#kit/clock"
import { accountLabel } from "#ledger/account-labels"
import { type BookedPosting, readPostings } from "#ledger/read-postings"

interface Happened {
  event: TimelineEvent
  at: Date
}

export interface ChargeDetails {
  charge: VerifiedCharge<ListedChargeOfSeller>
  timeline: Happened[]
  postings: { bookedAt: Date; debit: string; credit: string; amountCents: Cents }[]
}

const creditKinds = ["payment", "payment-accepted"] as const
const paymentKinds = [...creditKinds, "unmatched-payment"] as const
const refundKinds = ["refund", "refund-completed", "refund-returned", "refund-by-bank"] as const

/** One charge with its whole history and all its postings. */
export async function getChargeDetails(deps: { db: Db; clock: Clock }, id: string): Promise<ChargeDetails> {
  const charge = await getAnyCharge(deps, id)
  const { endToEndId } = charge
  const [paymentIds, disputes, { refunds }, notifiedAt] = await Promise.all([
    listPaymentsOfCharge(deps.db, charge.id),
    endToEndId === null ? [] : listDisputesOf(deps.db, endToEndId),
    listRefunds(deps, charge, "admin"),
    endToEndId === null ? null : findMailSentAt(deps.db, paymentMailKey(endToEndId)),
  ])
  const references = [...new Set([...paymentIds, ...(endToEndId === null ? [] : [endToEndId])])]
  const postings = await readPostings(deps.db, [
    { kinds: paymentKinds, references },
    { kinds: refundKinds, references: refunds.map((refund) => refund.id) },
    { kinds: disputeKinds, references: movementsOf(disputes) },
  ])
  return {
    charge,
    timeline: timelineOf(charge, { postings, refunds, disputes, notifiedAt }),
    postings: postings.map(({ bookedAt, debit, credit, amountCents }) => ({
      bookedAt,
      debit: accountLabel(debit),
      credit: accountLabel(credit),
      amountCents,
    })),
  }
}

interface Around {
  postings: BookedPosting[]
  refunds: Refund[]
  disputes: Dispute[]
  notifiedAt: Date | null
}

function timelineOf(charge: ListedChargeOfSeller, { postings, refunds, disputes, notifiedAt }: Around): Happened[] {
  const isCredit = ({ kind }: BookedPosting) => creditKinds.some((each) => each === kind)
  const entries: { event: TimelineEvent; at: Date | null }[] = [
    { event: "created", at: charge.createdAt },
    { event: "code_shown", at: charge.openedAt },
    { event: "paid", at: charge.paidAt },
    { event: "booked", at: postings.find(isCredit)?.bookedAt ?? null },
    { event: "notified", at: notifiedAt },
    ...disputes.flatMap(({ openedAt, closedAt }) => [
      { event: "disputed" as const, at: openedAt },
      { event: "dispute_closed" as const, at: closedAt },
    ]),
    ...refunds
      .filter(({ status }) => status === "completed")
      .map(({ processedAt }) => ({ event: "refunded" as const, at: processedAt })),
    endOf(charge),
  ]
  return entries
    .flatMap(({ event, at }) => (at === null ? [] : [{ event, at }]))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

function endOf({ status, expiresAt, updatedAt }: ListedChargeOfSeller): { event: TimelineEvent; at: Date | null } {
  switch (status) {
    case "cancelled":
    case "failed":
      return { event: status, at: updatedAt }
    case "expired":
      return { event: "expired", at: expiresAt }
    case "pending":
    case "paid":
    case "refunded":
      return { event: "expired", at: null }
  }
}

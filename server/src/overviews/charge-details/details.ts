import type { TimelineEvent } from "@tilinta/contract/admin-transactions"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { listedStatusOf, type PayerStatus, payerStatusOf } from "@tilinta/contract/vocabulary/transactions"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import type { SecretKeys } from "#kit/secrets"
import { accountLabel } from "#ledger/accounts"
import { type BookedPosting, readPostings } from "#ledger/reads"
import { listDisputesOfPayment } from "#money/disputes/list-reads"
import { type Dispute, disputeKinds, movementsOf } from "#money/disputes/rules"
import { paymentMailKey } from "#money/payments/mails"
import { findPaymentIdsOfCharge } from "#money/payments/reads"
import { listRequestsOfCharge } from "#money/refund-requests/reads"
import type { RefundRequest } from "#money/refund-requests/rules"
import { listRefunds } from "#money/refunds/list"
import { listReturned } from "#money/refunds/reported"
import type { Refund } from "#money/refunds/rules"
import { findShop, readReceiver } from "#people/shops/reads"
import type { Shop } from "#people/shops/rules"
import { findMailSentAt } from "#platform/mails/reads"
import { findLinkOfPage } from "#selling/charge-pages/public-page"
import { findCharge, getAnyCharge } from "#selling/charges/find"
import type { ListedChargeOfSeller } from "#selling/charges/lists"
import { chargeStatusAt, type VerifiedCharge } from "#selling/charges/rules"
import { findReturnLinkOf } from "#selling/charges/statuses"

interface Happened {
  event: TimelineEvent
  at: Date
  /** Behind the event's label: " por" and a name, or nothing. */
  by: string
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
  const [paymentIds, disputes, { refunds }, requests, notifiedAt] = await Promise.all([
    findPaymentIdsOfCharge(deps.db, charge.id),
    endToEndId === null ? [] : listDisputesOfPayment(deps.db, endToEndId),
    listRefunds(deps, charge, "admin"),
    listRequestsOfCharge(deps.db, charge.id),
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
    timeline: timelineOf(charge, { postings, refunds, requests, disputes, notifiedAt }),
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
  requests: RefundRequest[]
  disputes: Dispute[]
  notifiedAt: Date | null
}

function timelineOf(
  charge: ListedChargeOfSeller,
  { postings, refunds, requests, disputes, notifiedAt }: Around,
): Happened[] {
  const isCredit = ({ kind }: BookedPosting) => creditKinds.some((each) => each === kind)
  const entries: { event: TimelineEvent; at: Date | null; by?: string }[] = [
    { event: "created", at: charge.createdAt },
    { event: "code_shown", at: charge.openedAt },
    { event: "paid", at: charge.paidAt },
    { event: "booked", at: postings.find(isCredit)?.bookedAt ?? null },
    { event: "notified", at: notifiedAt },
    ...disputes.flatMap(({ openedAt, closedAt }) => [
      { event: "disputed" as const, at: openedAt },
      { event: "dispute_closed" as const, at: closedAt },
    ]),
    ...requests.flatMap((request) => [
      { event: "refund_asked" as const, at: request.askedAt, by: request.askedBy.name },
      {
        event: request.refundId === null ? ("refund_declined" as const) : ("refund_confirmed" as const),
        at: request.decidedAt,
        by: request.decidedBy?.name ?? "",
      },
    ]),
    ...refunds
      .filter(({ status }) => status === "completed")
      .map(({ processedAt }) => ({ event: "refunded" as const, at: processedAt })),
    endOf(charge),
  ]
  return entries
    .flatMap(({ event, at, by }) => (at === null ? [] : [{ event, at, by: by ? ` por ${by}` : "" }]))
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

export interface PaymentProof {
  id: string
  amountCents: Cents
  /** The time of payment; before that, the time of creation. */
  date: Date
  title: string
  /** As they were when they were paid. */
  receiver: string
  receiverDocument: string | null
  /** Today's; null without one. */
  shop: Shop | null
  /** Null without one, as for a deleted page. */
  chargePage: { uniqueLink: string; isVisible: boolean } | null
  /** The payer's way back to the shop; null before the payment, and after its refund. */
  returnUrl: string | null
  status: PayerStatus
  endToEndId: string | null
  /** The amount returned to the payer. */
  refundedCents: Cents
  refunds: { amountCents: Cents; returnedAt: Date; returnId: string | null }[]
}

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

/** For holders of the unguessable id: proof of the payment, without payer data. */
export async function getPaymentProof(deps: Deps, id: string): Promise<PaymentProof> {
  const { db, clock } = deps
  const charge = await findCharge(db, id)
  if (charge === null) throw new DomainError("payment_not_found")
  const status = payerStatusOf[listedStatusOf(chargeStatusAt(charge, clock.now()))]
  const [receiver, shop, returned, page, returnUrl] = await Promise.all([
    readReceiver(db, charge),
    findShop(db, charge.sellerId),
    listReturned(db, charge.id),
    charge.pageId === null ? null : findLinkOfPage({ db, clock }, charge.pageId),
    findReturnLinkOf(deps, charge),
  ])
  return {
    id: charge.id,
    amountCents: charge.amountCents,
    date: charge.paidAt ?? charge.createdAt,
    title: charge.pageTitle,
    receiver: receiver.name,
    receiverDocument: receiver.document || null,
    shop,
    chargePage: page,
    returnUrl,
    status,
    endToEndId: charge.endToEndId,
    refundedCents: charge.refundedCents,
    refunds: returned.map(({ amountCents, processedAt, returnId }) => ({
      amountCents,
      returnedAt: processedAt,
      returnId,
    })),
  }
}

import type { Cents } from "@tilinta/contract/vocabulary/money"
import { listedStatusOf, type PayerStatus, payerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import type { Db } from "#db/transaction"
import { listReturned } from "#domain/money/refunds/read-returned"
import { getUser } from "#domain/people/users/get-user"
import { findLinkOfPage } from "#domain/selling/charge-pages/find-public-charge-page"
import { chargeStatusAt } from "#domain/selling/charges/charge"
import { findReturnLinkOf } from "#domain/selling/charges/find-return-link-of"
import { findCharge } from "#domain/selling/charges/get-charge"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import type { SecretKeys } from "#kit/secret-box"

export interface PaymentProof {
  id: string
  amountCents: Cents
  /** The time of payment; before that, the time of creation. */
  date: Date
  title: string
  receiver: string
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
  const [seller, returned, page, returnUrl] = await Promise.all([
    getUser(db, charge.sellerId),
    listReturned(db, charge.id),
    charge.pageId === null ? null : findLinkOfPage({ db, clock }, charge.pageId),
    findReturnLinkOf(deps, charge),
  ])
  return {
    id: charge.id,
    amountCents: charge.amountCents,
    date: charge.paidAt ?? charge.createdAt,
    title: charge.pageTitle,
    receiver: seller.name,
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

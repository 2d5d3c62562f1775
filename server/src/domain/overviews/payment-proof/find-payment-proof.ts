import { listedStatusOf, type PayerStatus, payerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import type { Db } from "#db/transaction"
import { listReturned } from "#domain/money/refunds/read-returned"
import { getUser } from "#domain/people/users/get-user"
import { chargeStatusAt } from "#domain/selling/charges/charge"
import { getCharge } from "#domain/selling/charges/get-charge"
import type { Clock } from "#kit/clock"
import type { Cents } from "#kit/money"

export interface PaymentProof {
  id: string
  amountCents: Cents
  /** The time of payment; before that, the time of creation. */
  date: Date
  title: string
  receiver: string
  status: PayerStatus
  endToEndId: string | null
  /** The amount returned to the payer. */
  refundedCents: Cents
  refunds: { amountCents: Cents; returnedAt: Date; returnId: string | null }[]
}

/** For holders of the unguessable id: proof of the payment, without payer data. */
export async function getPaymentProof({ db, clock }: { db: Db; clock: Clock }, id: string): Promise<PaymentProof> {
  const charge = await getCharge(db, id)
  const [seller, returned] = await Promise.all([getUser(db, charge.sellerId), listReturned(db, charge.id)])
  const status = chargeStatusAt(charge, clock.now())
  return {
    id: charge.id,
    amountCents: charge.amountCents,
    date: charge.paidAt ?? charge.createdAt,
    title: charge.pageTitle,
    receiver: seller.name,
    status: payerStatusOf[listedStatusOf(status)],
    endToEndId: charge.endToEndId,
    refundedCents: charge.refundedCents,
    refunds: returned.map(({ amountCents, processedAt, returnId }) => ({
      amountCents,
      returnedAt: processedAt,
      returnId,
    })),
  }
}

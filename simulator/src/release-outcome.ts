import type { Bank } from "./bank.ts"
import type { Payout } from "./payout-book.ts"
import { notifyPayout, payoutRefusal } from "./payout-notice.ts"
import type { Refund } from "./refund-book.ts"
import { notifyRefund, refundRefusal } from "./refund-payment.ts"

/** Settles a payout or refund that is under way, either way. Undefined when none of that name is under way. */
export async function releasePayout(bank: Bank, sendId: string, isRefused: boolean): Promise<Payout | undefined> {
  const released = await bank.books.write(() => {
    const now = bank.clock.now()
    const payout = bank.payouts.find(sendId)
    if (payout === undefined || payout.settlesAt <= now) return undefined
    const settled = { ...payout, settlesAt: now, refusal: isRefused ? payoutRefusal : null }
    bank.payouts.settle(settled)
    notifyPayout(bank, settled)
    return settled
  })
  bank.delivery.wake()
  return released
}

export async function releaseRefund(
  bank: Bank,
  { endToEndId, refundId }: Pick<Refund, "endToEndId" | "refundId">,
  isRefused: boolean,
): Promise<Refund | undefined> {
  const released = await bank.books.write(() => {
    const now = bank.clock.now()
    const payment = bank.payments.find(endToEndId)
    const refund = bank.refunds.find(endToEndId, refundId)
    if (payment === undefined || refund === undefined || refund.settlesAt <= now) return undefined
    const settled = { ...refund, settlesAt: now, refusal: isRefused ? refundRefusal : null }
    bank.refunds.settle(settled)
    notifyRefund(bank, payment, settled)
    return settled
  })
  bank.delivery.wake()
  return released
}

import type { Bank } from "./bank.ts"
import { toNotifiedPix, toPix } from "./charge-view.ts"
import { newEndToEndId } from "./end-to-end-id.ts"
import { occasionOfPayment } from "./occasions.ts"
import { oweNotice } from "./owe-notice.ts"
import type { Payment } from "./payment-book.ts"

type Receipt = Pick<Payment, "txid" | "amountCents" | "payerNote"> & { now: number }

/** Books the payment together with the notice that it owes. Call it within a write. */
export function bookPayment(bank: Bank, { txid, amountCents, payerNote, now }: Receipt): Payment {
  const { receiverKey } = bank.account
  const payment: Payment = { endToEndId: newEndToEndId(now), txid, amountCents, receiverKey, payerNote, paidAt: now }
  bank.payments.insert(payment)
  if (txid !== null)
    oweNotice(bank, toNotifiedPix(payment, [], now), { occasion: occasionOfPayment(bank, payment), now })
  return payment
}

/** A payment without a charge of its own: a static code, an imitated txid, a wrong amount, a second payment. */
export async function receiveStray(bank: Bank, stray: Omit<Receipt, "now">): Promise<Payment> {
  const payment = await bank.books.write(() => bookPayment(bank, { ...stray, now: bank.clock.now() }))
  bank.delivery.wake()
  return payment
}

export function pixOf(bank: Bank, payment: Payment) {
  const pix = toPix(payment, bank.refunds.ofPayment(payment.endToEndId), bank.clock.now())
  if (bank.faultRules.isEmpty()) return pix
  const isHit = bank.faultRules.strike("recebimento-ilegivel", occasionOfPayment(bank, payment)) !== undefined
  return isHit ? { ...pix, valor: `R$ ${pix.valor.replace(".", ",")}` } : pix
}

import type { Bank } from "./bank.ts"
import { toWebhookBody } from "./charge-view.ts"
import { newReturnId } from "./end-to-end-id.ts"
import type { Payment } from "./payment-book.ts"
import { Problem } from "./problem.ts"
import type { Refund, RefundNature } from "./refund-book.ts"

const refusalReason = "Devolução recusada pelo banco do pagador."
const longestAgeMs = 90 * 86_400_000

export type RefundRequest = {
  endToEndId: string
  refundId: string
  amountCents: number
  nature: RefundNature
  payerNote: string | null
}

/** The same id with the same data is answered with the same refund; more than was paid never goes back. */
export async function refundPayment(bank: Bank, request: RefundRequest): Promise<Refund> {
  const refund = await bank.books.write(() => {
    const payment = bank.payments.find(request.endToEndId)
    if (payment === undefined) throw new Problem("PixNaoEncontrado", 404, "Pix não encontrado para o e2eid informado.")
    const existing = bank.refunds.find(request.endToEndId, request.refundId)
    if (existing === undefined) return recordRefund(bank, payment, request)
    if (isSame(existing, request)) return existing
    throw invalidRefund("O campo {id} já foi utilizado por outra requisição de devolução para o e2eid.")
  })
  bank.delivery.wake()
  return refund
}

function isSame(existing: Refund, { amountCents, payerNote, nature }: RefundRequest): boolean {
  return existing.amountCents === amountCents && existing.payerNote === payerNote && existing.nature === nature
}

function recordRefund(bank: Bank, payment: Payment, request: RefundRequest): Refund {
  const requestedAt = Date.now()
  const { liquidacaoMs, devolucoesRecusadas } = bank.faults.current()
  refuseWhatExceeds(bank, payment, request.amountCents, requestedAt)
  const isRefused = devolucoesRecusadas && request.nature === "ORIGINAL"
  const refund: Refund = {
    ...request,
    returnId: newReturnId(requestedAt),
    requestedAt,
    settlesAt: requestedAt + liquidacaoMs,
    refusal: isRefused ? refusalReason : null,
  }
  bank.refunds.insert(refund)
  oweNotice(bank, payment, refund)
  return refund
}

function refuseWhatExceeds(bank: Bank, payment: Payment, amountCents: number, now: number): void {
  if (now - payment.paidAt > longestAgeMs) throw invalidRefund("A devolução excede o prazo de 90 dias.")
  const counted = bank.refunds
    .ofPayment(payment.endToEndId)
    .filter(({ refusal, settlesAt }) => refusal === null || now < settlesAt)
    .reduce((sum, refund) => sum + refund.amountCents, 0)
  if (counted + amountCents <= payment.amountCents) return
  throw invalidRefund("A devolução, em conjunto com as prévias, excederia o valor do Pix originário.")
}

/** Told when its outcome is final, and only for a Pix with a txid. */
function oweNotice(bank: Bank, payment: Payment, { requestedAt, settlesAt }: Refund): void {
  const { receiverKey, txid, endToEndId } = payment
  if (txid === null || !bank.faults.current().webhooksAtivos || bank.webhooks.find(receiverKey) === undefined) return
  const body = toWebhookBody(payment, bank.refunds.ofPayment(endToEndId), settlesAt)
  bank.webhooks.owe(receiverKey, body, requestedAt, settlesAt)
}

function invalidRefund(razao: string): Problem {
  return new Problem("PixDevolucaoInvalida", 400, razao, [{ razao, propriedade: "devolucao" }])
}

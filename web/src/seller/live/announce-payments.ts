import { shownReais } from "#ui/shown-amounts.ts"
import { toast } from "#ui/toast.ts"
import { markFresh } from "./live-store.ts"

interface ReceivedPayment {
  _id: string
  grossAmount: number
  payerName: string
  checkoutPage: { _id: string | null }
}

const announced = new Set<string>()
const eachUpTo = 2

/** Announces each payment once, whichever source reports it first. Returns whether any was new. */
export function announcePayments(payments: readonly ReceivedPayment[]): boolean {
  const news = payments.filter(({ _id }) => !announced.has(_id))
  for (const { _id } of news) announced.add(_id)
  if (news.length === 0) return false
  markFresh(news.flatMap(({ _id, checkoutPage }) => [_id, ...(checkoutPage._id === null ? [] : [checkoutPage._id])]))
  if (news.length > eachUpTo) {
    const total = news.reduce((sum, { grossAmount }) => sum + Math.round(grossAmount * 100), 0) / 100
    toast.success(`${news.length} pagamentos recebidos`, `${shownReais(total)} no total`)
    return true
  }
  for (const { payerName, grossAmount } of news) {
    toast.success("Pagamento recebido", `${payerName || "Seu cliente"} pagou ${shownReais(grossAmount)}`)
  }
  return true
}

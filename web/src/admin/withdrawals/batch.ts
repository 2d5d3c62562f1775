import type { AdminWithdrawalView } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import { countOf } from "#format/count.ts"

/** Adds up in centavos: reais as floats don't add up exactly. */
export function sumOf(withdrawals: readonly Pick<AdminWithdrawalView, "amount">[]): number {
  return withdrawals.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100
}

/** The consequences of approving them, shown before confirmation. */
export function batchConsequences(withdrawals: readonly Pick<AdminWithdrawalView, "paidByHand" | "paymentMethod">[]) {
  const byHand = withdrawals.filter(({ paidByHand, paymentMethod }) => paidByHand || paymentMethod !== "pix").length
  const sent = withdrawals.length - byHand
  return [
    sent === 0
      ? ""
      : `${countOf(sent, "Pix é enviado", "Pix são enviados")} ao banco em seguida: isto não pode ser desfeito.`,
    byHand === 0
      ? ""
      : `${countOf(byHand, "saque espera", "saques esperam")} que você pague no seu banco e marque como pago.`,
  ].filter((line) => line !== "")
}

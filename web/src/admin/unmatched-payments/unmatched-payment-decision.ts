import type { UnmatchedPaymentView } from "@tilinta/contract/api/unmatched-payments-endpoints"
import { uncreditedReasons } from "@tilinta/contract/vocabulary/unmatched-payment-status"
import { formatReais } from "#format/money-text.ts"

export const decisions = ["accept", "return"] as const
export type Decision = (typeof decisions)[number]

export const decisionWords = {
  accept: { title: "Aceitar pagamento?", verb: "Aceitar" },
  return: { title: "Devolver pagamento?", verb: "Devolver" },
} as const satisfies Record<Decision, { title: string; verb: string }>

type Effect = UnmatchedPaymentView["effect"]["accept"]

/** The effect of a decision on the books, one sentence for each side that gains or loses. */
export function effectLines({ sellerGets, fee, payerGets }: Effect): string[] {
  const lines = [
    sellerGets > 0 && `O vendedor recebe ${formatReais(sellerGets)}`,
    sellerGets < 0 && `Saem ${formatReais(-sellerGets)} do saldo do vendedor`,
    fee > 0 && `A plataforma fica com ${formatReais(fee)} de taxa`,
    fee < 0 && `A plataforma devolve ${formatReais(-fee)} de taxa`,
    payerGets > 0 && `O pagador recebe ${formatReais(payerGets)} de volta`,
  ].filter((line) => line !== false)
  return lines.length > 0 ? lines : ["Nenhum saldo muda: já foi creditado e só é marcado como conferido"]
}

/** The seller who was credited, and so decides nothing about the refund; null while the money is nobody's. */
export function creditedSeller({ reason, user }: Pick<UnmatchedPaymentView, "reason" | "user">) {
  const isCredited = !uncreditedReasons.some((uncredited) => uncredited === reason)
  return isCredited ? user : null
}

/** Money without a charge goes to a seller whom the admin picks. */
export function needsSeller(payment: Pick<UnmatchedPaymentView, "user">, decision: Decision): boolean {
  return decision === "accept" && payment.user === null
}

import type { AdminDisputeDetails } from "@tilinta/contract/api/disputes-endpoints"
import type { DisputeState } from "@tilinta/contract/vocabulary/dispute-status"
import { formatReais } from "#format/money-text.ts"
import type { BadgeTone } from "#ui/badge.tsx"
import type { Ending } from "./disputes-data.ts"

export const stateWords = {
  open: { label: "Em aberto", tone: "warning" },
  defended: { label: "Em análise", tone: "primary" },
  accepted: { label: "Aceita", tone: "danger" },
  rejected: { label: "Recusada", tone: "success" },
  cancelled: { label: "Cancelada", tone: "secondary" },
} as const satisfies Record<DisputeState, { label: string; tone: BadgeTone }>

export const endingWords = {
  release: { title: "Liberar o valor ao vendedor?", verb: "Liberar" },
  debit: { title: "Registrar o débito do banco?", verb: "Registrar débito de" },
} as const satisfies Record<Ending, { title: string; verb: string }>

/** The effect of an outcome on the books, one sentence for each side that gains or loses. */
export function effectLines({ sellerGets, fee, payerGets }: AdminDisputeDetails["effect"]["release"]): string[] {
  const lines = [
    sellerGets > 0 && `${formatReais(sellerGets)} voltam ao saldo disponível do vendedor`,
    sellerGets < 0 && `Saem ${formatReais(-sellerGets)} do saldo bloqueado do vendedor`,
    fee < 0 && `A plataforma devolve ${formatReais(-fee)} de taxa`,
    payerGets > 0 && `O pagador recebe ${formatReais(payerGets)} de volta`,
  ].filter((line) => line !== false)
  return lines.length > 0 ? lines : ["Nenhum saldo muda: nada está bloqueado"]
}

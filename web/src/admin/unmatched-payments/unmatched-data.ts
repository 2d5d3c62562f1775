import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { UnmatchedPaymentView } from "@tilinta/contract/unmatched-payments"
import type { UserView } from "@tilinta/contract/users"
import { feeOf, percentFee } from "@tilinta/contract/vocabulary/fee"
import { addCents, centsFromReais, reaisFromCents, subtractCents } from "@tilinta/contract/vocabulary/money"
import {
  type UnmatchedPaymentReason,
  type UnmatchedPaymentStatus,
  uncreditedReasons,
} from "@tilinta/contract/vocabulary/transactions"
import type { UnmatchedSearch } from "#admin/search-params.ts"
import { call } from "#api/client.ts"
import { listQuery } from "#api/queries.ts"
import { formatReais } from "#format/money-text.ts"
import type { BadgeTone } from "#ui/badge.tsx"

export const reasonWords = {
  unknown_txid: {
    label: "Sem cobrança",
    tone: "warning",
    explanation: "Chegou um Pix que não corresponde a nenhuma cobrança da plataforma.",
  },
  wrong_amount: {
    label: "Valor diferente",
    tone: "danger",
    explanation: "O valor pago não é o da cobrança, então ela não foi dada como paga.",
  },
  charge_already_paid: {
    label: "Cobrança já paga",
    tone: "danger",
    explanation: "Esta mesma cobrança já tinha sido paga antes.",
  },
  late: {
    label: "Fora do prazo",
    tone: "primary",
    explanation: "O pagamento chegou depois do fim da cobrança e já foi creditado ao vendedor.",
  },
  duplicate: {
    label: "Em duplicidade",
    tone: "primary",
    explanation: "A página já tinha recebido o seu pagamento; este também foi creditado ao vendedor.",
  },
} as const satisfies Record<UnmatchedPaymentReason, { label: string; tone: BadgeTone; explanation: string }>

/** Why it waits; a payment without txid may have a charge that is only suggested. */
export function explanationOf({ reason, status, transaction }: UnmatchedPaymentView): string {
  const isSuggested = reason === "unknown_txid" && status === "open" && transaction !== null
  return isSuggested
    ? "Chegou um Pix sem o identificador da cobrança, e o banco dá como paga esta cobrança do mesmo valor. Confira antes de aceitar."
    : reasonWords[reason].explanation
}

export const statusWords = {
  open: { label: "A conferir", tone: "warning" },
  accepted: { label: "Aceito", tone: "success" },
  returning: { label: "Em devolução", tone: "primary" },
  returned: { label: "Devolvido", tone: "secondary" },
} as const satisfies Record<UnmatchedPaymentStatus, { label: string; tone: BadgeTone }>

export const decisions = ["accept", "return"] as const
export type Decision = (typeof decisions)[number]

export const decisionWords = {
  accept: { title: "Aceitar pagamento?", verb: "Aceitar" },
  return: { title: "Devolver pagamento?", verb: "Devolver" },
} as const satisfies Record<Decision, { title: string; verb: string }>

type Effect = UnmatchedPaymentView["effect"]["accept"]

/** The effect for the seller who is chosen, who may have a fee of their own. */
export function effectFor(effect: Effect, { feePercentage }: Pick<UserView, "feePercentage">): Effect {
  if (feePercentage === null) return effect
  const gross = addCents(centsFromReais(effect.sellerGets), centsFromReais(effect.fee))
  const fee = feeOf(percentFee(feePercentage), gross)
  return { ...effect, sellerGets: reaisFromCents(subtractCents(gross, fee)), fee: reaisFromCents(fee) }
}

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

export const unmatchedKey = ["admin", "unmatched-payments"] as const
export const pageSize = 100

export type UnmatchedFilter = Pick<UnmatchedSearch, "status" | "reason" | "search">

export function unmatchedQuery(page: number, filter: UnmatchedFilter) {
  return listQuery({
    key: unmatchedKey,
    page,
    filter,
    ask: (part, signal) =>
      call(heads.listUnmatchedPayments, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.payments,
  })
}

export function paymentQuery(id: string) {
  return queryOptions({
    queryKey: [...unmatchedKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getUnmatchedPayment, { params: { id }, signal })).data.payment,
  })
}

interface DecisionOrder {
  id: string
  decision: Decision
  adminNotes: string
  /** The seller to credit when no charge identifies one. */
  sellerId: string | null
}

export function decide({ id, decision, adminNotes, sellerId }: DecisionOrder) {
  if (decision === "return") return call(heads.returnUnmatchedPayment, { params: { id }, body: { adminNotes } })
  return call(heads.acceptUnmatchedPayment, { params: { id }, body: { adminNotes, sellerId } })
}

export function closeEntry(id: string, reason: string) {
  return call(heads.closeUnreadableEntry, { params: { id }, body: { reason } })
}

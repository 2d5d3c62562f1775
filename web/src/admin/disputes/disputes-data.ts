import { queryOptions } from "@tanstack/react-query"
import type { AdminDisputeDetails } from "@tilinta/contract/disputes"
import * as heads from "@tilinta/contract/heads"
import type { DisputeReason, DisputeState } from "@tilinta/contract/vocabulary/dispute-status"
import type { DisputesSearch } from "#admin/search-params.ts"
import { call } from "#api/client.ts"
import { formatReais } from "#format/money-text.ts"
import type { BadgeTone } from "#ui/badge.tsx"

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

const disputesKey = ["admin", "disputes"] as const
export const pageSize = 100

type DisputesFilter = Pick<DisputesSearch, "status" | "reason" | "search">

export function disputesQuery(page: number, filter: DisputesFilter) {
  return queryOptions({
    queryKey: [...disputesKey, "list", page, filter],
    queryFn: ({ signal }) =>
      call(heads.listAllDisputes, { query: { page: String(page), limit: String(pageSize), ...filter }, signal }),
  })
}

export function disputeQuery(id: string) {
  return queryOptions({
    queryKey: [...disputesKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getDispute, { params: { id }, signal })).data.dispute,
  })
}

export function transactionDisputesQuery(transactionId: string) {
  return queryOptions({
    queryKey: [...disputesKey, "of transaction", transactionId],
    queryFn: async ({ signal }) =>
      (await call(heads.listPaymentDisputes, { params: { id: transactionId }, signal })).data.disputes,
  })
}

export type Ending = "release" | "debit"

export function closeDispute({ id, ending, adminNotes }: { id: string; ending: Ending; adminNotes: string }) {
  const order = { params: { id }, body: { adminNotes } }
  return ending === "release" ? call(heads.releaseDispute, order) : call(heads.debitDispute, order)
}

export function defendDispute(id: string, text: string) {
  return call(heads.adminDefendDispute, { params: { id }, body: { text } })
}

interface Registration {
  endToEndId: string
  amount: number | null
  reason: DisputeReason
  respondUntil: string | null
  adminNotes: string
}

export function registerDispute(body: Registration, idempotencyKey: string) {
  return call(heads.registerDispute, { body, headers: { "Idempotency-Key": idempotencyKey } })
}

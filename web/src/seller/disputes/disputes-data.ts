import { queryOptions } from "@tanstack/react-query"
import type { DisputeView } from "@tilinta/contract/disputes"
import * as heads from "@tilinta/contract/heads"
import type { DisputeState } from "@tilinta/contract/vocabulary/dispute-status"
import { call } from "#api/client.ts"
import { transactionsKey } from "#seller/transactions/transactions-data.ts"
import type { BadgeTone } from "#ui/badge.tsx"
import type { Moment } from "#ui/steps.tsx"

export const stateWords = {
  open: { label: "Em aberto", tone: "warning" },
  defended: { label: "Em análise", tone: "primary" },
  accepted: { label: "Estornado", tone: "danger" },
  rejected: { label: "A seu favor", tone: "success" },
  cancelled: { label: "Cancelada", tone: "secondary" },
} as const satisfies Record<DisputeState, { label: string; tone: BadgeTone }>

const endings = {
  accepted: { label: "Contestação aceita pelo banco", tone: "bad" },
  rejected: { label: "Contestação recusada: valor liberado", tone: "good" },
  cancelled: { label: "Contestação cancelada: valor liberado", tone: "good" },
} as const

/** The dispute's beginning and end, for the transaction's timeline. */
export function momentsOfDispute({ openedAt, closedAt, status }: DisputeView): Moment[] {
  const opened: Moment = { label: "Contestado pelo pagador", at: openedAt, tone: "bad" }
  if (closedAt === null || status === "open" || status === "defended") return [opened]
  return [opened, { ...endings[status], at: closedAt }]
}

/** Under the transactions' key: whatever makes those stale may have changed blocked amounts too. */
export const openDisputesQuery = queryOptions({
  queryKey: [...transactionsKey, "open disputes"],
  queryFn: async ({ signal }) => (await call(heads.listDisputes, { signal })).data,
})

export function disputesQuery(transactionId: string) {
  return queryOptions({
    queryKey: [...transactionsKey, "disputes", transactionId],
    queryFn: async ({ signal }) =>
      (await call(heads.listTransactionDisputes, { params: { id: transactionId }, signal })).data.disputes,
  })
}

export function defend(id: string, text: string) {
  return call(heads.defendDispute, { params: { id }, body: { text } })
}

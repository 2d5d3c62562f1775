import { queryOptions, useQueryClient } from "@tanstack/react-query"
import type { AdminTransactionDetails, TimelineEvent } from "@tilinta/contract/admin-transactions"
import * as heads from "@tilinta/contract/heads"
import type { PaymentMethod } from "@tilinta/contract/vocabulary/withdrawals"
import { useRef } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import type { StatusGroup } from "#admin/search-params.ts"
import { call, createSubmissions } from "#api/client.ts"
import { listQuery } from "#api/queries.ts"
import type { DayRange } from "#format/dates.ts"
import type { Moment } from "#ui/steps.tsx"
import { toast } from "#ui/toast.ts"

const tones = {
  created: "done",
  code_shown: "done",
  paid: "good",
  booked: "good",
  notified: "done",
  disputed: "bad",
  dispute_closed: "done",
  refund_asked: "done",
  refund_confirmed: "done",
  refund_declined: "done",
  refunded: "bad",
  expired: "bad",
  cancelled: "bad",
  failed: "bad",
} as const satisfies Record<TimelineEvent, Moment["tone"]>

export function momentsOf({ timeline }: Pick<AdminTransactionDetails, "timeline">): Moment[] {
  return timeline.map(({ event, label, at }) => ({ label, at, tone: tones[event] }))
}

export const transactionsKey = ["admin", "transactions"] as const
export const pageSize = 100

export interface TransactionsFilter extends Partial<DayRange> {
  status: StatusGroup | undefined
  search: string | undefined
  paymentMethod: PaymentMethod | undefined
}

export function transactionsQuery(page: number, filter: TransactionsFilter) {
  return listQuery({
    key: transactionsKey,
    page,
    filter,
    ask: (part, signal) =>
      call(heads.listAllTransactions, {
        query: { ...part, limit: String(pageSize), totals: "none", ...filter },
        signal,
      }),
    rowsOf: ({ data }) => data.transactions,
  })
}

/**
 * Totals of everything that the filter finds, fetched apart: counting a search may take a while, and its rows don't
 * wait.
 */
export function totalsQuery(filter: TransactionsFilter) {
  return queryOptions({
    queryKey: [...transactionsKey, "totals", filter],
    queryFn: async ({ signal }) => {
      const { summary } = (await call(heads.listAllTransactions, { query: { limit: "1", ...filter }, signal })).data
      if (summary === undefined) throw new Error("an answer without its totals")
      return summary
    },
  })
}

/** Refunds are fetched first, so that the transaction already reflects those that are final. */
export function transactionQuery(id: string) {
  return queryOptions({
    queryKey: [...transactionsKey, "one", id],
    queryFn: async ({ signal }) => {
      const { refunds, refundable, deadline } = (await call(heads.adminListRefunds, { params: { id }, signal })).data
      const { transaction } = (await call(heads.getAnyTransaction, { params: { id }, signal })).data
      return { transaction, refunds, refundable, deadline }
    },
  })
}

interface RefundOrder {
  id: string
  amount: number
  reason: string
}

function refundTransaction({ id, amount, reason }: RefundOrder, idempotencyKey: string) {
  const headers = { "Idempotency-Key": idempotencyKey }
  return call(heads.adminRefundTransaction, { params: { id }, body: { amount, reason }, headers })
}

export type RequestRefund = (order: RefundOrder) => Promise<void>

/**
 * The same request keeps its idempotency key until it is known to have succeeded, even after the dialog was closed and
 * opened again.
 */
export function useRefund(): RequestRefund {
  const queryClient = useQueryClient()
  const submissions = useRef(createSubmissions())

  return async (order) => {
    try {
      const { data } = await refundTransaction(order, submissions.current(order).key)
      submissions.current = createSubmissions()
      if (data.pending === true) toast.success(adminTexts.requestNoted, adminTexts.waitsForAnother)
      else toast.success(adminTexts.refundRequested)
    } finally {
      void queryClient.invalidateQueries({ queryKey: transactionsKey })
    }
  }
}

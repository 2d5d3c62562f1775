import { queryOptions } from "@tanstack/react-query"
import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import * as heads from "@tilinta/contract/heads"
import type { WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawals"
import type { Order } from "#admin/search-params.ts"
import { ApiError } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { listQuery } from "#api/queries.ts"
import type { DayRange } from "#format/dates.ts"
import type { Decision } from "./withdrawal-decision.ts"

export const withdrawalsKey = ["admin", "withdrawals"] as const
export const pageSize = 100
export const refreshMs = 15_000

export interface WithdrawalsFilter extends Partial<DayRange> {
  status: WithdrawalStatus | undefined
  search: string | undefined
}

export function withdrawalsQuery(page: number, filter: WithdrawalsFilter & { order: Order }) {
  return listQuery({
    key: withdrawalsKey,
    page,
    filter,
    ask: (part, signal) =>
      call(heads.listAllWithdrawals, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.withdrawals,
  })
}

/** Totals of everything that the filter finds, with as few rows as possible. */
export function summaryQuery(filter: WithdrawalsFilter) {
  return queryOptions({
    queryKey: [...withdrawalsKey, "summary", filter],
    queryFn: async ({ signal }) =>
      (await call(heads.listAllWithdrawals, { query: { limit: "1", ...filter }, signal })).data.summary,
  })
}

export function withdrawalQuery(id: string) {
  return queryOptions({
    queryKey: [...withdrawalsKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getAnyWithdrawal, { params: { id }, signal })).data.withdrawal,
  })
}

/** The text is the reason of a return, and a note on any other decision. */
export function decide(
  decision: Decision,
  { _id: id, status }: Pick<AdminWithdrawalView, "_id" | "status">,
  adminNotes: string,
  checked: boolean,
) {
  if (decision === "return") {
    const seen = status === "completed" ? status : "approved"
    return call(heads.returnWithdrawal, { params: { id }, body: { reason: adminNotes, checked, status: seen } })
  }
  const input = { params: { id }, body: { adminNotes } }
  if (decision === "complete") return call(heads.completeWithdrawal, input)
  return decision === "approve" ? call(heads.approveWithdrawal, input) : call(heads.rejectWithdrawal, input)
}

export const notPaidVerb = "Conferi: não foi pago"

/** Why a return asks to look at the bank first; null for any other refusal. */
export function doubtOf(error: unknown): string | null {
  return error instanceof ApiError && error.code === "withdrawal_held" ? error.message : null
}

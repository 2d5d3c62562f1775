import { queryOptions, skipToken } from "@tanstack/react-query"
import type {
  AdminWithdrawalView,
  approveWithdrawalEndpoint,
  completeWithdrawalEndpoint,
  listAllWithdrawalsEndpoint,
  rejectWithdrawalEndpoint,
} from "@tilinta/contract/api/admin-withdrawals-endpoints"
import type { WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawal-status"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import type { DayRange } from "#format/period.ts"
import type { Decision } from "./decision.ts"

export const listPath = "/api/v1/admin/withdrawals"
const listAll = leanEndpoint<typeof listAllWithdrawalsEndpoint>("GET", listPath)
const approve = leanEndpoint<typeof approveWithdrawalEndpoint>("PATCH", `${listPath}/:id/approve`)
const reject = leanEndpoint<typeof rejectWithdrawalEndpoint>("PATCH", `${listPath}/:id/reject`)
const complete = leanEndpoint<typeof completeWithdrawalEndpoint>("PATCH", `${listPath}/:id/complete`)

export const withdrawalsKey = ["admin", "withdrawals"] as const
export const pageSize = 100

export interface WithdrawalsFilter extends Partial<DayRange> {
  status: WithdrawalStatus | undefined
  search: string | undefined
}

export function withdrawalsQuery(page: number, filter: WithdrawalsFilter) {
  return queryOptions({
    queryKey: [...withdrawalsKey, "list", page, filter],
    queryFn: ({ signal }) =>
      call(listAll, { query: { page: String(page), limit: String(pageSize), ...filter }, signal }),
  })
}

/** What the last decision, ours or somebody else's, left behind: a list that is filtered may no longer hold it. */
export function decidedQuery(id: string | undefined) {
  return queryOptions<AdminWithdrawalView>({ queryKey: [...withdrawalsKey, "decided", id], queryFn: skipToken })
}

export function decide(decision: Decision, id: string, adminNotes: string) {
  const input = { params: { id }, body: { adminNotes } }
  if (decision === "complete") return call(complete, input)
  return decision === "approve" ? call(approve, input) : call(reject, input)
}

/** One request as it is now: the seller's own are few enough to be looked through. */
export async function readAgain({ _id, user }: AdminWithdrawalView): Promise<AdminWithdrawalView | undefined> {
  const { data } = await call(listAll, { query: { search: user.email, limit: "1000" } })
  return data.withdrawals.find((withdrawal) => withdrawal._id === _id)
}

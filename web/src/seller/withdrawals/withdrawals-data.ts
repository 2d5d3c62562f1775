import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import type { getPublicSettingEndpoint } from "@tilinta/contract/api/settings-endpoints"
import type { listWithdrawnSalesEndpoint } from "@tilinta/contract/api/statements-endpoints"
import type { getMeEndpoint } from "@tilinta/contract/api/users-endpoints"
import type {
  cancelWithdrawalEndpoint,
  getWithdrawalEndpoint,
  listWithdrawalsEndpoint,
  RequestWithdrawalBody,
  requestWithdrawalEndpoint,
} from "@tilinta/contract/api/withdrawals-endpoints"
import type { SellerWithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawal-status"
import { call, type ReplyOf } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { listQuery } from "#api/list-query.ts"
import type { DayRange } from "#format/period.ts"

const listWithdrawals = leanEndpoint<typeof listWithdrawalsEndpoint>("GET", "/api/v1/withdrawals")
const getOne = leanEndpoint<typeof getWithdrawalEndpoint>("GET", "/api/v1/withdrawals/:id")
const postWithdrawal = leanEndpoint<typeof requestWithdrawalEndpoint>("POST", "/api/v1/withdrawals")
const patchCancel = leanEndpoint<typeof cancelWithdrawalEndpoint>("PATCH", "/api/v1/withdrawals/:id/cancel")
const listSales = leanEndpoint<typeof listWithdrawnSalesEndpoint>("GET", "/api/v1/withdrawals/:id/sales")
const getMe = leanEndpoint<typeof getMeEndpoint>("GET", "/api/v1/users/me")
const getSetting = leanEndpoint<typeof getPublicSettingEndpoint>("GET", "/api/v1/public/settings/:key")

export const withdrawalsKey = ["seller", "withdrawals"] as const
export const pageSize = 10

interface WithdrawalsFilter extends Partial<DayRange> {
  status: SellerWithdrawalStatus | undefined
  search: string | undefined
}

export function withdrawalsQuery(page: number, filter: WithdrawalsFilter) {
  return listQuery({
    key: withdrawalsKey,
    page,
    filter,
    ask: (part, signal) => call(listWithdrawals, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.withdrawals,
  })
}

export function withdrawalQuery(id: string) {
  return queryOptions({
    queryKey: [...withdrawalsKey, "one", id],
    queryFn: async ({ signal }) => (await call(getOne, { params: { id }, signal })).data.withdrawal,
  })
}

type SalesPart = ReplyOf<typeof listWithdrawnSalesEndpoint>["data"]

export function withdrawnSalesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...withdrawalsKey, "sales", id],
    queryFn: async ({ pageParam, signal }) =>
      (await call(listSales, { params: { id }, query: pageParam === null ? {} : { after: pageParam }, signal })).data,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: SalesPart) => next,
  })
}

/** The seller's usual destination. */
export const payoutAccountQuery = queryOptions({
  queryKey: ["seller", "payout-account"],
  queryFn: async ({ signal }) => (await call(getMe, { signal })).data.user.bankAccount,
  gcTime: 0,
})

/** The platform's current rules; when they can't be loaded, the server still enforces them. */
export const withdrawalRulesQuery = queryOptions({
  queryKey: ["seller", "withdrawal-rules"],
  queryFn: async ({ signal }) => {
    const [enabled, minimum] = await Promise.all(
      ["WITHDRAWALS_ENABLED", "MIN_WITHDRAWAL_AMOUNT"].map((key) => call(getSetting, { params: { key }, signal })),
    )
    return { enabled: enabled?.data.setting.value !== false, minimum: Number(minimum?.data.setting.value ?? 0) }
  },
  staleTime: 60_000,
})

export function requestWithdrawal(body: RequestWithdrawalBody, idempotencyKey: string) {
  return call(postWithdrawal, { body, headers: { "Idempotency-Key": idempotencyKey } })
}

export function cancelWithdrawal(id: string) {
  return call(patchCancel, { params: { id } })
}

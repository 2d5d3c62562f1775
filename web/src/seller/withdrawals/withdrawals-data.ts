import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { listWithdrawnSalesEndpoint } from "@tilinta/contract/statements"
import type { SellerWithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawals"
import type { RequestWithdrawalBody } from "@tilinta/contract/withdrawals"
import { useRef } from "react"
import { shopOf } from "#api/acting-shop.ts"
import { call, createSubmissions, type ReplyOf } from "#api/client.ts"
import { listQuery } from "#api/queries.ts"
import type { DayRange } from "#format/dates.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { toast } from "#ui/toast.ts"

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
    ask: (part, signal) =>
      call(heads.listWithdrawals, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.withdrawals,
  })
}

export function withdrawalQuery(id: string) {
  return queryOptions({
    queryKey: [...withdrawalsKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getWithdrawal, { params: { id }, signal })).data.withdrawal,
  })
}

type SalesPart = ReplyOf<typeof listWithdrawnSalesEndpoint>["data"]

export function withdrawnSalesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...withdrawalsKey, "sales", id],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call(heads.listWithdrawnSales, {
          params: { id },
          query: pageParam === null ? {} : { after: pageParam },
          signal,
        })
      ).data,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: SalesPart) => next,
  })
}

/** The seller's usual destination; nothing for another owner, whose own account isn't the shop's. */
export const payoutAccountQuery = queryOptions({
  queryKey: ["seller", "payout-account"],
  queryFn: async ({ signal }) => {
    const { user } = (await call(heads.getMe, { signal })).data
    const nothing = { bank: "", agency: "", account: "", accountType: "", pixKey: "" }
    return shopOf(user)._id === user._id ? user.bankAccount : nothing
  },
  gcTime: 0,
})

/** The platform's current rules; when they can't be loaded, the server still enforces them. */
export const withdrawalRulesQuery = queryOptions({
  queryKey: ["seller", "withdrawal-rules"],
  queryFn: async ({ signal }) => {
    const [enabled, minimum, maxPix] = await Promise.all(
      ["WITHDRAWALS_ENABLED", "MIN_WITHDRAWAL_AMOUNT", "MAX_PIX_PAYOUT"].map((key) =>
        call(heads.getPublicSetting, { params: { key }, signal }),
      ),
    )
    const reais = (read: typeof minimum) => Number(read?.data.setting.value ?? 0)
    return { enabled: enabled?.data.setting.value !== false, minimum: reais(minimum), maxPix: reais(maxPix) }
  },
  staleTime: 60_000,
})

export const withdrawalRuleQuery = queryOptions({
  queryKey: ["seller", "withdrawal-rule"],
  queryFn: async ({ signal }) => (await call(heads.getWithdrawalRule, { signal })).data.rule,
})

function requestWithdrawal(body: RequestWithdrawalBody, idempotencyKey: string) {
  return call(heads.requestWithdrawal, { body, headers: { "Idempotency-Key": idempotencyKey } })
}

export function cancelWithdrawal(id: string) {
  return call(heads.cancelWithdrawal, { params: { id } })
}

export type RequestWithdrawal = (body: RequestWithdrawalBody) => Promise<void>

/**
 * The same request keeps its idempotency key until it is known to have succeeded, even after the dialog was closed and
 * opened again.
 */
export function useRequestWithdrawal(onDone: () => void): RequestWithdrawal {
  const queryClient = useQueryClient()
  const submissions = useRef(createSubmissions())

  return async (body) => {
    try {
      await requestWithdrawal(body, submissions.current(body).key)
      submissions.current = createSubmissions()
      toast.success(sellerTexts.withdrawalRequested)
      onDone()
    } finally {
      void queryClient.invalidateQueries({ queryKey: ["seller", "balance"] })
      void queryClient.invalidateQueries({ queryKey: withdrawalsKey })
    }
  }
}

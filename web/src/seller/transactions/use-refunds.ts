import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query"
import type { TransactionDetail } from "@tilinta/contract/api/transactions-endpoints"
import { isRefundUnderWay } from "@tilinta/contract/vocabulary/refund-status"
import { useEffect, useRef } from "react"
import { moneyKeys } from "../money-keys.ts"
import { type KnownRefunds, refundsQuery } from "./transactions-data.ts"

const askAgainMs = 3000

/** Refunds of a paid transaction; polls until each is final, which changes other data as well. */
export function useRefunds(transaction: TransactionDetail | undefined): UseQueryResult<KnownRefunds> {
  const queryClient = useQueryClient()
  const refunds = useQuery({
    ...refundsQuery(transaction?._id ?? ""),
    enabled: transaction !== undefined && transaction.paidAt !== null,
    refetchInterval: ({ state }) => countUnderWay(state.data) > 0 && askAgainMs,
  })
  const underWay = countUnderWay(refunds.data)
  const before = useRef(underWay)

  useEffect(() => {
    const isSettled = underWay < before.current
    before.current = underWay
    if (!isSettled) return
    for (const queryKey of moneyKeys) void queryClient.invalidateQueries({ queryKey })
  }, [underWay, queryClient])

  return refunds
}

function countUnderWay(known: KnownRefunds | undefined): number {
  return known?.refunds.filter(({ status }) => isRefundUnderWay(status)).length ?? 0
}

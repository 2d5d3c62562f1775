import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query"
import type { RefundView } from "@tilinta/contract/refunds"
import type { TransactionDetail, TransactionView } from "@tilinta/contract/transactions"
import { type Cents, centsFromReais, feeShareOf, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { isLiveRefund, isRefundUnderWay } from "@tilinta/contract/vocabulary/transactions"
import { useEffect, useRef } from "react"
import { createSubmissions } from "#api/client.ts"
import { moneyKeys } from "#seller/seller-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { toast } from "#ui/toast.ts"
import { type KnownRefunds, type RefundOrder, refundsQuery, requestRefund } from "./transactions-data.ts"

interface Known {
  refunds: readonly Pick<RefundView, "amount" | "fee" | "status">[]
  refundable: number
}

export function isRefundable(transaction: Pick<TransactionView, "status"> | undefined, known: Known | undefined) {
  return transaction?.status === "pago" && known !== undefined && known.refundable > 0
}

export interface RefundParts {
  /** The share of the fee that is returned. */
  fee: number
  fromBalance: number
}

/** Computed as the server will book it. */
export function refundPartsOf(
  amount: number,
  paid: Pick<TransactionView, "grossAmount" | "fee">,
  { refunds }: Known,
): RefundParts {
  const live = refunds.filter(({ status }) => isLiveRefund(status))
  const cents = centsFromReais(amount)
  const fee = feeShareOf(
    cents,
    { grossCents: centsFromReais(paid.grossAmount), feeCents: centsFromReais(paid.fee) },
    { grossCents: sumOf(live.map((refund) => refund.amount)), feeCents: sumOf(live.map((refund) => refund.fee)) },
  )
  return { fee: reaisFromCents(fee), fromBalance: (cents - fee) / 100 }
}

function sumOf(amounts: readonly number[]): Cents {
  return amounts.reduce((sum, amount) => sum + centsFromReais(amount), 0) as Cents
}

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

export type RequestRefund = (id: string, order: RefundOrder) => Promise<void>

/**
 * The same request keeps its idempotency key until it is known to have succeeded, even after the dialog was closed and
 * opened again.
 */
export function useRequestRefund(): RequestRefund {
  const queryClient = useQueryClient()
  const submissions = useRef(createSubmissions())

  return async (id, order) => {
    try {
      await requestRefund(id, order, submissions.current({ id, ...order }).key)
      submissions.current = createSubmissions()
      toast.success(sellerTexts.refundRequested)
    } finally {
      for (const queryKey of moneyKeys) void queryClient.invalidateQueries({ queryKey })
    }
  }
}

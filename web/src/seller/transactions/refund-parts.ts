import type { RefundView } from "@tilinta/contract/api/refunds-endpoints"
import type { TransactionView } from "@tilinta/contract/api/transactions-endpoints"
import { type Cents, centsFromReais, feeShareOf, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { isLiveRefund } from "@tilinta/contract/vocabulary/refund-status"
import { formatReais } from "#format/money-text.ts"

interface Known {
  refunds: readonly Pick<RefundView, "amount" | "fee" | "status">[]
  refundable: number
}

export function isRefundable(transaction: Pick<TransactionView, "status"> | undefined, known: Known | undefined) {
  return transaction?.status === "pago" && known !== undefined && known.refundable > 0
}

/** Null when the server would accept the amount. */
export function problemOf(amount: number | null, { refundable }: Known): string | null {
  if (amount === null || amount === 0) return "O valor do estorno deve ser maior que zero"
  return amount > refundable ? `O valor do estorno não pode passar de ${formatReais(refundable)}` : null
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

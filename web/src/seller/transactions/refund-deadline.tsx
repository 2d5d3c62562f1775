import type { TransactionDetail } from "@tilinta/contract/api/transactions-endpoints"
import { formatDay } from "#format/date.ts"
import type { KnownRefunds } from "./transactions-data.ts"

interface Props {
  transaction: Pick<TransactionDetail, "status">
  known: Pick<KnownRefunds, "refundable" | "deadline"> | undefined
}

/** The last day of a refund, and why it is no longer possible after that. */
export function RefundDeadline({ transaction, known }: Props) {
  const deadline = known?.deadline ?? null
  if (transaction.status !== "pago" || known === undefined || deadline === null) return null
  if (!deadline.hasPassed && known.refundable === 0) return null
  const day = formatDay(deadline.day)
  return (
    <p className="text-meta text-t3 tabular-nums">
      {deadline.hasPassed ? `O prazo de 90 dias para estornar terminou em ${day}.` : `Pode ser estornado até ${day}.`}
    </p>
  )
}

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { UnmatchedPaymentView } from "@tilinta/contract/unmatched-payments"
import {
  type UnmatchedPaymentReason,
  type UnmatchedPaymentStatus,
  unmatchedPaymentReasons,
} from "@tilinta/contract/vocabulary/transactions"
import { settlementWait } from "#admin/hand-settlements/settle-words.ts"
import { SellerCell } from "#admin/seller-picker.tsx"
import { StatusCards } from "#admin/status-cards.tsx"
import { formatDateTime } from "#format/dates.ts"
import { useReais } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { type Column, DataTable, DateCell, RowLink } from "#ui/data-table.tsx"
import { amountColumn } from "#ui/table-columns.tsx"
import { decisionWords, reasonWords, statusWords, type UnmatchedFilter, unmatchedQuery } from "./unmatched-data.ts"

export function UnmatchedPaymentStatusBadge({ status }: { status: UnmatchedPaymentStatus }) {
  const { label, tone } = statusWords[status]
  return <Badge tone={tone}>{label}</Badge>
}

interface UnmatchedCardsProps {
  criteria: UnmatchedFilter
  onChoose: (reason: UnmatchedPaymentReason | undefined) => void
}

/** Counts of every reason, whichever is selected. */
export function UnmatchedCards({ criteria, onChoose }: UnmatchedCardsProps) {
  const reais = useReais()
  const totals = useQuery({
    ...unmatchedQuery(1, { ...criteria, reason: undefined }),
    placeholderData: keepPreviousData,
  })
  const summary = totals.data?.data.summary
  const cards = unmatchedPaymentReasons.map((word) => ({
    word,
    title: reasonWords[word].label,
    tone: reasonWords[word].tone,
    count: summary?.[word].count,
    note: summary && reais(summary[word].amount),
  }))
  return (
    <StatusCards
      label="Pagamentos por motivo"
      cards={cards}
      chosen={criteria.reason}
      onChoose={onChoose}
      waiting={totals.isPending}
    />
  )
}

const columns: readonly Column<UnmatchedPaymentView>[] = [
  { header: "Pago em", area: "date", cell: (row) => <DateCell text={formatDateTime(row.paidAt)} /> },
  { header: "Motivo", area: "title", cell: (row) => <ReasonCell payment={row} /> },
  { header: "Vendedor", area: "none", cell: (row) => <SellerCell user={row.user} /> },
  amountColumn("Valor", (row) => row.amount),
  {
    header: "Status",
    area: "status",
    cell: (row) => (
      <>
        <UnmatchedPaymentStatusBadge status={row.status} />
        <RefundWait refund={row.refund} />
      </>
    ),
  },
  {
    header: "Sugestão",
    area: "none",
    cell: (row) =>
      row.suggestion === null ? null : <span className="text-t2">{decisionWords[row.suggestion].verb}</span>,
  },
]

export function UnmatchedTable({ rows, dimmed }: { rows: readonly UnmatchedPaymentView[]; dimmed: boolean }) {
  return <DataTable caption="Pagamentos a conferir" columns={columns} rows={rows} dimmed={dimmed} wide />
}

function RefundWait({ refund }: Pick<UnmatchedPaymentView, "refund">) {
  const text = refund === null ? "" : settlementWait(refund)
  if (text === "") return null
  return <span className="block text-meta font-semibold whitespace-nowrap text-amber">{text}</span>
}

function ReasonCell({ payment }: { payment: UnmatchedPaymentView }) {
  return (
    <RowLink
      from="/admin/unmatched-payments"
      to="/admin/unmatched-payments"
      search={(old) => ({ ...old, payment: payment._id })}
      aria-haspopup="dialog"
      text={reasonWords[payment.reason].label}
      note={
        <>
          {payment.checkoutPage?.title ?? payment.endToEndId}
          <span className="hidden cards:inline"> · {payment.user?.name ?? "Vendedor desconhecido"}</span>
        </>
      }
    />
  )
}

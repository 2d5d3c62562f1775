import { Link } from "@tanstack/react-router"
import type { UnmatchedPaymentView } from "@tilinta/contract/api/unmatched-payments-endpoints"
import { formatDateTime } from "#format/date.ts"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { DateCell } from "#ui/date-cell.tsx"
import { RowText } from "#ui/row-text.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { settlementWait } from "../hand-settlements/settle-words.ts"
import { SellerCell } from "../seller-cell.tsx"
import { decisionWords } from "./unmatched-payment-decision.ts"
import { UnmatchedPaymentStatusBadge } from "./unmatched-payment-status-badge.tsx"
import { reasonWords } from "./unmatched-payment-words.ts"

const columns: readonly Column<UnmatchedPaymentView>[] = [
  { header: "Pago em", area: "date", cell: (row) => <DateCell text={formatDateTime(row.paidAt)} /> },
  { header: "Motivo", area: "title", cell: (row) => <ReasonCell payment={row} /> },
  { header: "Vendedor", area: "none", cell: (row) => <SellerCell user={row.user} /> },
  {
    header: "Valor",
    area: "amount",
    end: true,
    cell: (row) => (
      <b className="font-semibold whitespace-nowrap tabular-nums">
        <Reais>{row.amount}</Reais>
      </b>
    ),
  },
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
  return (
    <DataTable
      caption="Pagamentos a conferir"
      columns={columns}
      rows={rows}
      rowKey={(row) => row._id}
      dimmed={dimmed}
      wide
    />
  )
}

function RefundWait({ refund }: Pick<UnmatchedPaymentView, "refund">) {
  const text = refund === null ? "" : settlementWait(refund)
  if (text === "") return null
  return <span className="block text-meta font-semibold whitespace-nowrap text-amber">{text}</span>
}

function ReasonCell({ payment }: { payment: UnmatchedPaymentView }) {
  return (
    <Link
      from="/admin/unmatched-payments"
      to="/admin/unmatched-payments"
      search={(old) => ({ ...old, payment: payment._id })}
      aria-haspopup="dialog"
      className="row-link"
    >
      <RowText
        title={reasonWords[payment.reason].label}
        note={
          <>
            {payment.checkoutPage?.title ?? payment.endToEndId}
            <span className="hidden cards:inline"> · {payment.user?.name ?? "Vendedor desconhecido"}</span>
          </>
        }
      />
    </Link>
  )
}

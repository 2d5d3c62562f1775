import { Link } from "@tanstack/react-router"
import type { AdminTransactionView } from "@tilinta/contract/api/admin-transactions-endpoints"
import { paymentMethodLabels } from "@tilinta/contract/vocabulary/payment-methods"
import { formatDateTime } from "#format/date.ts"
import { payerText } from "#format/payer-text.ts"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { DateCell } from "#ui/date-cell.tsx"
import { RowText } from "#ui/row-text.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { TransactionStatusBadge } from "../transaction-status-badge.tsx"

const columns: readonly Column<AdminTransactionView>[] = [
  { header: "Data", area: "date", cell: (row) => <DateCell text={formatDateTime(row.createdAt)} /> },
  { header: "Descrição", area: "title", cell: (row) => <TitleCell transaction={row} /> },
  {
    header: "Vendedor",
    area: "none",
    cell: (row) => (
      <span className="block w-36">
        <span className="block truncate text-t2">{row.user.name}</span>
        <span className="block truncate text-meta text-t3">{row.user.email}</span>
      </span>
    ),
  },
  {
    header: "Valor bruto",
    area: "amount",
    end: true,
    cell: (row) => (
      <b className="font-semibold whitespace-nowrap tabular-nums">
        <Reais>{row.grossAmount}</Reais>
      </b>
    ),
  },
  {
    header: "Valor líquido",
    area: "none",
    end: true,
    cell: (row) => (
      <span className="block whitespace-nowrap tabular-nums">
        <Reais>{row.netAmount}</Reais>
        <span className="block text-meta text-t3">
          taxa <Reais>{row.fee}</Reais>
        </span>
      </span>
    ),
  },
  { header: "Status", area: "status", cell: (row) => <TransactionStatusBadge status={row.status} /> },
  {
    header: "Método",
    area: "none",
    cell: (row) => <span className="text-t2">{paymentMethodLabels[row.paymentMethod] ?? "Outros"}</span>,
  },
]

export function TransactionTable({ rows, dimmed }: { rows: readonly AdminTransactionView[]; dimmed: boolean }) {
  return <DataTable caption="Transações" columns={columns} rows={rows} rowKey={(row) => row._id} dimmed={dimmed} wide />
}

function TitleCell({ transaction }: { transaction: AdminTransactionView }) {
  const { description, checkoutPage, user } = transaction
  return (
    <Link
      from="/admin/transactions"
      to="/admin/transactions"
      search={(old) => ({ ...old, transaction: transaction._id })}
      aria-haspopup="dialog"
      className="row-link"
    >
      <RowText
        title={checkoutPage.title || description}
        note={
          <>
            {payerText(transaction)}
            <span className="hidden cards:inline"> · {user.name}</span>
          </>
        }
      />
    </Link>
  )
}

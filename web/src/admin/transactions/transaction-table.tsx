import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { AdminTransactionView } from "@tilinta/contract/admin-transactions"
import { paymentMethodLabels } from "@tilinta/contract/vocabulary/withdrawals"
import { TransactionStatusBadge } from "#admin/detail-sections.tsx"
import type { StatusGroup } from "#admin/search-params.ts"
import { StatusCards } from "#admin/status-cards.tsx"
import { formatDateTime } from "#format/dates.ts"
import { payerText } from "#format/receipt-texts.ts"
import { Reais } from "#ui/amounts.tsx"
import { type Column, DataTable, DateCell, RowLink } from "#ui/data-table.tsx"
import { amountColumn } from "#ui/table-columns.tsx"
import { type TransactionsFilter, totalsQuery } from "./transactions-data.ts"

interface TransactionsCardsProps {
  criteria: TransactionsFilter
  onChoose: (status: StatusGroup | undefined) => void
}

/** Counts of every status, whichever is selected. */
export function TransactionsCards({ criteria, onChoose }: TransactionsCardsProps) {
  const totals = useQuery({
    ...totalsQuery({ ...criteria, status: undefined }),
    placeholderData: keepPreviousData,
  })
  const summary = totals.data?.exact === true ? totals.data : undefined
  return (
    <StatusCards
      label="Transações por status"
      cards={[
        { word: "approved", title: "Aprovadas", tone: "success", count: summary?.approvedCount },
        { word: "pending", title: "Pendentes", tone: "warning", count: summary?.pendingCount },
        { word: "failed", title: "Falhas e canceladas", tone: "danger", count: summary?.failedCount },
        { word: "refunded", title: "Estornadas", tone: "secondary", count: summary?.refundedCount },
      ]}
      chosen={criteria.status}
      onChoose={onChoose}
      waiting={totals.isPending}
    />
  )
}

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
  amountColumn("Valor bruto", (row) => row.grossAmount),
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
  return <DataTable caption="Transações" columns={columns} rows={rows} dimmed={dimmed} wide />
}

function TitleCell({ transaction }: { transaction: AdminTransactionView }) {
  const { description, checkoutPage, user } = transaction
  return (
    <RowLink
      from="/admin/transactions"
      to="/admin/transactions"
      search={(old) => ({ ...old, transaction: transaction._id })}
      aria-haspopup="dialog"
      text={checkoutPage.title || description}
      note={
        <>
          {payerText(transaction)}
          <span className="hidden cards:inline"> · {user.name}</span>
        </>
      }
    />
  )
}

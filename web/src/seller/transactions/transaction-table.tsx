import type { TransactionView } from "@tilinta/contract/api/transactions-endpoints"
import { formatDateTime } from "#format/date.ts"
import { formatReais } from "#format/money.ts"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { DateCell } from "../date-cell.tsx"
import { TransactionStatusBadge } from "./transaction-status-badge.tsx"

const columns: readonly Column<TransactionView>[] = [
  { header: "Data", area: "date", cell: (row) => <DateCell text={formatDateTime(row.createdAt)} /> },
  {
    header: "Descrição",
    area: "title",
    cell: (row) => (
      <div className="min-w-0">
        <b className="block truncate font-semibold">{row.description || row.checkoutPage.title}</b>
        <span className="block truncate text-meta text-t3">{detailOf(row)}</span>
      </div>
    ),
  },
  {
    header: "Valor bruto",
    area: "amount",
    end: true,
    cell: (row) => <b className="font-semibold whitespace-nowrap tabular-nums">{formatReais(row.grossAmount)}</b>,
  },
  {
    header: "Taxa",
    area: "none",
    end: true,
    cell: (row) => <span className="whitespace-nowrap text-t2 tabular-nums">{formatReais(row.fee)}</span>,
  },
  {
    header: "Valor líquido",
    area: "extra",
    end: true,
    cell: (row) => (
      <span className="whitespace-nowrap tabular-nums cards:block cards:text-left cards:text-meta cards:text-t3">
        <span className="hidden cards:inline">Taxa {formatReais(row.fee)} · líquido </span>
        {formatReais(row.netAmount)}
      </span>
    ),
  },
  { header: "Status", area: "status", cell: (row) => <TransactionStatusBadge status={row.status} /> },
  { header: "Método", area: "none", cell: () => <span className="text-t2">PIX</span> },
]

/** The page's title when the description is something else, and who paid. */
function detailOf(row: TransactionView): string {
  const payer = row.customerInfo.name || "Pagamento anônimo"
  const title = row.checkoutPage.title
  return row.description === "" || row.description === title ? payer : `${title} · ${payer}`
}

export function TransactionTable({ rows, dimmed }: { rows: readonly TransactionView[]; dimmed: boolean }) {
  return <DataTable caption="Transações" columns={columns} rows={rows} rowKey={(row) => row._id} dimmed={dimmed} wide />
}

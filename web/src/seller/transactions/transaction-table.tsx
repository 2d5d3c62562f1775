import type { TransactionView } from "@tilinta/contract/transactions"
import { formatDateTime } from "#format/dates.ts"
import { useFresh } from "#seller/live/live-store.ts"
import { Reais } from "#ui/amounts.tsx"
import { type Column, DataTable, DateCell } from "#ui/data-table.tsx"
import { amountColumn, quietAmountColumn } from "#ui/table-columns.tsx"
import { TransactionStatusBadge, TransactionTitle } from "./transaction-title.tsx"

const columns: readonly Column<TransactionView>[] = [
  { header: "Data", area: "date", cell: (row) => <DateCell text={formatDateTime(row.createdAt)} /> },
  {
    header: "Descrição",
    area: "title",
    cell: (row) => <TransactionTitle transaction={row} described />,
  },
  amountColumn("Valor bruto", (row) => row.grossAmount),
  quietAmountColumn("Taxa", (row) => row.fee),
  {
    header: "Valor líquido",
    area: "none",
    end: true,
    cell: (row) => (
      <span className="whitespace-nowrap tabular-nums">
        <Reais>{row.netAmount}</Reais>
      </span>
    ),
  },
  { header: "Status", area: "status", cell: (row) => <TransactionStatusBadge status={row.status} /> },
  { header: "Método", area: "none", cell: () => <span className="text-t2">PIX</span> },
]

export function TransactionTable({ rows, dimmed }: { rows: readonly TransactionView[]; dimmed: boolean }) {
  const fresh = useFresh()
  return (
    <DataTable
      caption="Transações"
      columns={columns}
      rows={rows}
      isFresh={(row) => fresh.has(row._id)}
      dimmed={dimmed}
      wide
    />
  )
}

import type { TransactionView } from "@tilinta/contract/api/transactions-endpoints"
import { formatDateTime } from "#format/date.ts"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { DateCell } from "#ui/date-cell.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { useFresh } from "../live/live-store.ts"
import { TransactionStatusBadge } from "./transaction-status-badge.tsx"
import { TransactionTitle } from "./transaction-title.tsx"

const columns: readonly Column<TransactionView>[] = [
  { header: "Data", area: "date", cell: (row) => <DateCell text={formatDateTime(row.createdAt)} /> },
  {
    header: "Descrição",
    area: "title",
    cell: (row) => <TransactionTitle transaction={row} described />,
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
    header: "Taxa",
    area: "none",
    end: true,
    cell: (row) => (
      <span className="whitespace-nowrap text-t2 tabular-nums">
        <Reais>{row.fee}</Reais>
      </span>
    ),
  },
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
      rowKey={(row) => row._id}
      isFresh={(row) => fresh.has(row._id)}
      dimmed={dimmed}
      wide
    />
  )
}

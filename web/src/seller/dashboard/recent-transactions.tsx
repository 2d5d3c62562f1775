import { Link } from "@tanstack/react-router"
import type { TransactionView } from "@tilinta/contract/api/transactions-endpoints"
import { formatDateTime } from "#format/date.ts"
import { Card, CardHeader } from "#ui/card.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { DateCell } from "#ui/date-cell.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { useFresh } from "../live/live-store.ts"
import { TransactionStatusBadge } from "../transactions/transaction-status-badge.tsx"
import { TransactionTitle } from "../transactions/transaction-title.tsx"
import { shownRows } from "./dashboard-data.ts"
import { FirstChargePage } from "./first-charge-page.tsx"

const columns: readonly Column<TransactionView>[] = [
  {
    header: "Descrição",
    area: "title",
    cell: (row) => <TransactionTitle transaction={row} />,
  },
  {
    header: "Valor",
    area: "amount",
    end: true,
    cell: (row) => (
      <span className="whitespace-nowrap tabular-nums">
        <b className="block font-semibold">
          <Reais>{row.grossAmount}</Reais>
        </b>
        <span className="block text-meta text-t3 cards:hidden">
          líq. <Reais>{row.netAmount}</Reais>
        </span>
      </span>
    ),
  },
  { header: "Status", area: "status", cell: (row) => <TransactionStatusBadge status={row.status} /> },
  { header: "Data", area: "date", end: true, cell: (row) => <DateCell text={formatDateTime(row.createdAt)} /> },
]

export function RecentTransactions({
  rows,
  waiting,
}: {
  rows: readonly TransactionView[] | undefined
  waiting: boolean
}) {
  const fresh = useFresh()
  return (
    <Card className="p-2 pt-[18px]">
      <div className="px-4 pb-2 max-md:px-3">
        <CardHeader title="Transações recentes">
          <Link
            to="/transactions"
            className="-my-2.5 inline-flex min-h-11 items-center text-label font-semibold text-mint underline-offset-4 hover:underline"
          >
            Ver todas
          </Link>
        </CardHeader>
      </div>
      {waiting && <RowsSkeleton rows={shownRows} label="Carregando transações" />}
      {rows !== undefined && rows.length > 0 && (
        <DataTable
          caption="Transações recentes"
          columns={columns}
          rows={rows}
          rowKey={(row) => row._id}
          isFresh={(row) => fresh.has(row._id)}
        />
      )}
      {rows === undefined && !waiting && <p className="px-4 pb-6 text-t3">Indisponível no momento.</p>}
      {rows?.length === 0 && (
        <FirstChargePage icon="exchange" title="Nenhuma transação ainda">
          Os pagamentos dos seus clientes aparecem aqui.
        </FirstChargePage>
      )}
    </Card>
  )
}

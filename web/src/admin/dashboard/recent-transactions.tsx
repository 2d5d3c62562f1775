import { Link } from "@tanstack/react-router"
import type { AdminTransactionView } from "@tilinta/contract/api/admin-transactions-endpoints"
import { formatDateTime } from "#format/date.ts"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { DateCell } from "#ui/date-cell.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import { RowText } from "#ui/row-text.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { TransactionStatusBadge } from "../transaction-status-badge.tsx"
import { shownRows } from "./dashboard-data.ts"
import { RecentCard } from "./recent-card.tsx"

const columns: readonly Column<AdminTransactionView>[] = [
  { header: "Descrição", area: "title", cell: (row) => <Title transaction={row} /> },
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
  rows: readonly AdminTransactionView[] | undefined
  waiting: boolean
}) {
  return (
    <RecentCard
      title="Transações recentes"
      to="/admin/transactions"
      seeAll="Ver todas"
      count={rows?.length}
      waiting={waiting}
      waitingLabel="Carregando transações"
      empty={
        <EmptyState icon="exchange" title="Nenhuma transação encontrada">
          Os pagamentos dos clientes de todos os vendedores aparecem aqui.
        </EmptyState>
      }
    >
      <DataTable
        caption="Transações recentes"
        columns={columns}
        rows={rows?.slice(0, shownRows) ?? []}
        rowKey={(row) => row._id}
      />
    </RecentCard>
  )
}

function Title({ transaction }: { transaction: AdminTransactionView }) {
  const { _id, description, checkoutPage, user } = transaction
  return (
    <Link to="/admin/transactions" search={{ transaction: _id }} className="row-link">
      <RowText title={checkoutPage.title || description} note={user.name} />
    </Link>
  )
}

import { Link } from "@tanstack/react-router"
import type { AdminTransactionView } from "@tilinta/contract/admin-transactions"
import type { UserView } from "@tilinta/contract/users"
import type { ReactNode } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { TransactionStatusBadge } from "#admin/refund-item.tsx"
import { UserStatusBadge } from "#admin/users/user-table.tsx"
import { formatDateTime } from "#format/dates.ts"
import { Reais } from "#ui/amounts.tsx"
import { Card, CardHeader, EmptyState, RowsSkeleton } from "#ui/card.tsx"
import { type Column, DataTable, DateCell, RowText } from "#ui/data-table.tsx"

export const shownRows = 5

interface Props {
  title: string
  to: "/admin/transactions" | "/admin/users"
  seeAll: string
  /** Undefined until loaded. */
  count: number | undefined
  waiting: boolean
  waitingLabel: string
  empty: ReactNode
  children: ReactNode
}

/** The newest entries of a list, with a link to the whole. */
function RecentCard({ title, to, seeAll, count, waiting, waitingLabel, empty, children }: Props) {
  return (
    <Card className="p-2 pt-[18px]">
      <div className="px-4 pb-2 max-md:px-3">
        <CardHeader title={title}>
          <Link
            to={to}
            className="-my-2.5 inline-flex min-h-11 items-center text-label font-semibold text-mint underline-offset-4 hover:underline"
          >
            {seeAll}
          </Link>
        </CardHeader>
      </div>
      {waiting && <RowsSkeleton rows={shownRows} label={waitingLabel} />}
      {count !== undefined && count > 0 && children}
      {count === undefined && !waiting && <p className="px-4 pb-6 text-t3">Indisponível no momento.</p>}
      {count === 0 && empty}
    </Card>
  )
}

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

export function RecentUsers({ rows, waiting }: { rows: readonly UserView[] | undefined; waiting: boolean }) {
  return (
    <RecentCard
      title="Usuários recentes"
      to="/admin/users"
      seeAll="Ver todos"
      count={rows?.length}
      waiting={waiting}
      waitingLabel="Carregando usuários"
      empty={<EmptyState icon="user" title={adminTexts.noUsers} />}
    >
      <ul>
        {rows?.slice(0, shownRows).map((user) => (
          <RecentUser key={user._id} user={user} />
        ))}
      </ul>
    </RecentCard>
  )
}

function RecentUser({ user }: { user: UserView }) {
  return (
    <li className="flex min-h-[67px] items-center justify-between gap-3 border-t border-line px-4 py-2 max-md:px-3">
      <Link to="/admin/users" search={{ user: user._id }} className="row-link flex-1">
        <RowText title={user.name} note={user.email} />
      </Link>
      <div className="grid flex-none justify-items-end gap-1">
        <UserStatusBadge active={user.active} />
        <span className="text-meta text-t3 tabular-nums">{formatDateTime(user.createdAt)}</span>
      </div>
    </li>
  )
}

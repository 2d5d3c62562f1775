import type { AdminTransactionView } from "@tilinta/contract/admin-transactions"
import type { UserView } from "@tilinta/contract/users"
import { adminTexts } from "#admin/admin-texts.ts"
import { TransactionStatusBadge } from "#admin/detail-sections.tsx"
import { UserStatusBadge } from "#admin/users/user-table.tsx"
import { formatDateTime } from "#format/dates.ts"
import { RecentTransactions, shownRows } from "#parts/transactions/recent-transactions.tsx"
import { EmptyState, RecentCard } from "#ui/card.tsx"
import { RowLink } from "#ui/data-table.tsx"

interface Props<Row> {
  rows: readonly Row[] | undefined
  waiting: boolean
}

export function RecentOfAll({ rows, waiting }: Props<AdminTransactionView>) {
  return (
    <RecentTransactions
      to="/admin/transactions"
      rows={rows}
      waiting={waiting}
      titleOf={(row) => <Title transaction={row} />}
      badgeOf={(row) => <TransactionStatusBadge status={row.status} />}
      empty={
        <EmptyState icon="exchange" title="Nenhuma transação encontrada">
          Os pagamentos dos clientes de todos os vendedores aparecem aqui.
        </EmptyState>
      }
    />
  )
}

function Title({ transaction }: { transaction: AdminTransactionView }) {
  const { _id, description, checkoutPage, user } = transaction
  return (
    <RowLink
      to="/admin/transactions"
      search={{ transaction: _id }}
      text={checkoutPage.title || description}
      note={user.name}
    />
  )
}

export function RecentUsers({ rows, waiting }: Props<UserView>) {
  return (
    <RecentCard
      title="Usuários recentes"
      to="/admin/users"
      seeAll="Ver todos"
      count={rows?.length}
      waiting={waiting ? { rows: shownRows, label: "Carregando usuários" } : null}
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
      <RowLink to="/admin/users" search={{ user: user._id }} className="flex-1" text={user.name} note={user.email} />
      <div className="grid flex-none justify-items-end gap-1">
        <UserStatusBadge active={user.active} />
        <span className="text-meta text-t3 tabular-nums">{formatDateTime(user.createdAt)}</span>
      </div>
    </li>
  )
}

import type { ReactNode } from "react"
import { formatDateTime } from "#format/dates.ts"
import { Reais } from "#ui/amounts.tsx"
import { RecentCard } from "#ui/card.tsx"
import { type Column, DataTable, DateCell } from "#ui/data-table.tsx"

/** As many of each list as a dashboard shows. */
export const shownRows = 5

interface Transaction {
  _id: string
  createdAt: string
  grossAmount: number
  netAmount: number
}

interface Props<Row> {
  to: "/transactions" | "/admin/transactions"
  /** Undefined until loaded. */
  rows: readonly Row[] | undefined
  waiting: boolean
  titleOf: (row: Row) => ReactNode
  badgeOf: (row: Row) => ReactNode
  isFresh?: (row: Row) => boolean
  empty: ReactNode
}

/** The newest transactions on a dashboard: the seller's own, or everybody's. */
export function RecentTransactions<Row extends Transaction>(props: Props<Row>) {
  const { to, rows, waiting, titleOf, badgeOf, isFresh, empty } = props
  const columns: readonly Column<Row>[] = [
    { header: "Descrição", area: "title", cell: titleOf },
    { header: "Valor", area: "amount", end: true, cell: (row) => <GrossAndNet {...row} /> },
    { header: "Status", area: "status", cell: badgeOf },
    { header: "Data", area: "date", end: true, cell: (row) => <DateCell text={formatDateTime(row.createdAt)} /> },
  ]
  return (
    <RecentCard
      title="Transações recentes"
      to={to}
      seeAll="Ver todas"
      count={rows?.length}
      waiting={waiting ? { rows: shownRows, label: "Carregando transações" } : null}
      empty={empty}
    >
      <DataTable
        caption="Transações recentes"
        columns={columns}
        rows={rows?.slice(0, shownRows) ?? []}
        {...(isFresh && { isFresh })}
      />
    </RecentCard>
  )
}

function GrossAndNet({ grossAmount, netAmount }: Transaction) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      <b className="block font-semibold">
        <Reais>{grossAmount}</Reais>
      </b>
      <span className="block text-meta text-t3 cards:hidden">
        líq. <Reais>{netAmount}</Reais>
      </span>
    </span>
  )
}

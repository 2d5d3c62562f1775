import type { topUsersEndpoint } from "@tilinta/contract/reports"
import { adminTexts } from "#admin/admin-texts.ts"
import type { ReportsSearch } from "#admin/search-params.ts"
import type { ReplyOf } from "#api/client.ts"
import { countOf, formatCount, formatReais } from "#format/money-text.ts"
import { type Column, DataTable, RowLink } from "#ui/data-table.tsx"
import { amountColumn } from "#ui/table-columns.tsx"
import { type ReportColumn, ReportPanel } from "./report-panels.tsx"
import { wholeDayLabel } from "./reports-data.ts"

type TopUser = ReplyOf<typeof topUsersEndpoint>["data"]["topUsers"][number]

const columns: readonly Column<TopUser>[] = [
  {
    header: "Usuário",
    area: "title",
    cell: ({ user }) => <RowLink to="/admin/users" search={{ user: user._id }} text={user.name} note={user.email} />,
  },
  amountColumn("Total", ({ totalAmount }) => totalAmount),
  {
    header: "Vendas",
    area: "status",
    end: true,
    cell: ({ totalSales }) => (
      <span className="whitespace-nowrap tabular-nums cards:text-meta cards:text-t3">
        <span className="cards:hidden">{formatCount(totalSales)}</span>
        <span className="hidden cards:inline">{countOf(totalSales, "venda", "vendas")}</span>
      </span>
    ),
  },
]

const file: readonly [ReportColumn<TopUser>, ...ReportColumn<TopUser>[]] = [
  { head: "Usuário", text: ({ user }) => user.name },
  { head: "E-mail", text: ({ user }) => user.email },
  {
    head: "Total",
    text: ({ totalAmount }) => formatReais(totalAmount),
    cell: ({ totalAmount }) => ({ reais: totalAmount }),
  },
  { head: "Vendas", text: ({ totalSales }) => formatCount(totalSales), cell: ({ totalSales }) => totalSales },
]

export function TopUsersPanel({ users, criteria }: { users: readonly TopUser[] | undefined; criteria: ReportsSearch }) {
  return (
    <ReportPanel
      title="Top 5 Usuários"
      note={`Valor bruto pago ${periodText(criteria)}`}
      icon="user"
      rows={users}
      columns={file}
      emptyText={adminTexts.noUsers}
      file="relatorio_top_usuarios"
      isTable
    >
      <div className="-mx-3">
        <DataTable caption="Top 5 usuários" columns={columns} rows={users ?? []} rowKey={({ user }) => user._id} />
      </div>
    </ReportPanel>
  )
}

/** Without both days the period is the current month. */
function periodText({ startDate, endDate }: ReportsSearch): string {
  if (startDate === undefined || endDate === undefined) return "no mês corrente"
  return `de ${wholeDayLabel(startDate)} a ${wholeDayLabel(endDate)}`
}

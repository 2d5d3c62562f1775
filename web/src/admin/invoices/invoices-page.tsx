import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import type { AdminInvoiceView } from "@tilinta/contract/admin-invoices"
import * as heads from "@tilinta/contract/heads"
import { useCallback } from "react"
import { inTransactions } from "#admin/section-tabs.tsx"
import { call } from "#api/client.ts"
import { listQuery } from "#api/queries.ts"
import { formatDay } from "#format/dates.ts"
import { InvoiceBadge } from "#parts/invoices/invoice-badge.tsx"
import { buttonClass } from "#ui/button.tsx"
import { type Column, DataTable, DateCell, RowText } from "#ui/data-table.tsx"
import { lazyPart } from "#ui/lazy-part.tsx"
import { isFiltered, ListFilters } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { knownStatus } from "#ui/list-search.ts"
import { amountColumn, quietAmountColumn } from "#ui/table-columns.tsx"
import { automaticQuery } from "./automatic-data.ts"

const AutomaticPage = lazyPart(() => import("./automatic-page.tsx"), "AutomaticPage")

const statuses = ["due", "overdue", "paid", "ended"] as const
const statusOptions = [
  { word: "due", label: "A vencer" },
  { word: "overdue", label: "Vencidas" },
  { word: "paid", label: "Pagas" },
  { word: "ended", label: "Encerradas" },
] as const satisfies readonly { word: (typeof statuses)[number]; label: string }[]

const pageSize = 100

interface Filter {
  status: (typeof statuses)[number] | undefined
  search: string | undefined
}

function allInvoicesQuery(page: number, filter: Filter) {
  return listQuery({
    key: ["admin", "invoices"],
    page,
    filter,
    ask: (part, signal) =>
      call(heads.listAllInvoices, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.invoices,
  })
}

const route = getRouteApi("/session/admin/invoices")

/** Fewer addresses for everybody's first load: Pix Automático is a view of this one. */
export function InvoicesPage() {
  return route.useSearch().status === automaticWord ? <AutomaticPage /> : <AllInvoices />
}

const automaticWord = "automatic"

function AllInvoices() {
  const { data: automatic } = useQuery(automaticQuery)
  const filters = knownStatus(route.useSearch(), statuses)
  const { page = 1, status, search } = filters
  const { list, filter, screen } = useListPage(route, {
    query: allInvoicesQuery(page, { status, search }),
    failed: "Erro ao carregar cobranças",
    waiting: { rows: 8, label: "Carregando cobranças" },
    paging: { page, perPage: pageSize },
  })
  const clear = useCallback(() => filter({ status: undefined, search: undefined }), [filter])
  const rows = list.data?.data.invoices ?? []
  return (
    <ListScreen
      {...inTransactions}
      title="Cobranças com vencimento"
      intro="O que os clientes de todos os vendedores devem, e até quando."
      actions={
        automatic?.summary.isOn === true && (
          <Link to="/admin/invoices" search={{ status: automaticWord }} className={buttonClass("secondary")}>
            Pix Automático
          </Link>
        )
      }
      {...screen}
      filters={
        <ListFilters
          searchLabel="Buscar por cliente, descrição ou referência"
          value={filters}
          options={statusOptions}
          onChange={filter}
          onClear={clear}
          timeless
        />
      }
    >
      {rows.length > 0 && (
        <DataTable
          caption="Cobranças com vencimento"
          columns={columns}
          rows={rows}
          dimmed={list.isPlaceholderData}
          wide
        />
      )}
      {list.isSuccess && rows.length === 0 && (
        <NoRows
          filtered={isFiltered(filters) || page > 1}
          onClear={clear}
          title="Nenhuma cobrança com vencimento"
          icon="calendar"
        />
      )}
    </ListScreen>
  )
}

const columns: readonly Column<AdminInvoiceView>[] = [
  { header: "Vencimento", area: "date", cell: (row) => <DateCell text={formatDay(row.dueDate)} /> },
  {
    header: "Cliente",
    area: "title",
    cell: ({ customer, description }) => <RowText title={customer.name} note={description} />,
  },
  {
    header: "Vendedor",
    area: "none",
    cell: ({ user }) => (
      <span className="block w-36">
        <span className="block truncate text-t2">{user.name}</span>
        <span className="block truncate text-meta text-t3">{user.email}</span>
      </span>
    ),
  },
  quietAmountColumn("Valor original", (row) => row.amount),
  amountColumn("Valor", ({ paid, today }) => paid?.amount ?? today.amount),
  { header: "Status", area: "status", cell: (row) => <InvoiceBadge state={row.state} /> },
]

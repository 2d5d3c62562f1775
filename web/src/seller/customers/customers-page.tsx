import { getRouteApi, Link } from "@tanstack/react-router"
import type { CustomerView } from "@tilinta/contract/customers"
import * as heads from "@tilinta/contract/heads"
import { customerLabels, customerStatuses } from "@tilinta/contract/vocabulary/customers"
import { managers } from "@tilinta/contract/vocabulary/team"
import { documentText } from "@tilinta/contract/vocabulary/typed-data"
import { useCallback } from "react"
import { maskPhone } from "#format/masks.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Reais, useReais } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { Button, buttonClass } from "#ui/button.tsx"
import { type Column, DataTable, RowLink } from "#ui/data-table.tsx"
import { ExportButton } from "#ui/export-button.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { isFiltered, ListFilters, noFilters } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { wordOf } from "#ui/list-search.ts"
import { Only } from "#ui/only.tsx"
import { customersQuery, pageSize } from "./customers-data.ts"

const CustomerDialog = lazyDialog(() => import("./customer-dialog.tsx"), "CustomerDialog")

const statusOptions = [{ word: "archived", label: "Arquivados" }] as const

const columns: readonly Column<CustomerView>[] = [
  {
    header: customerLabels.name,
    area: "title",
    cell: ({ _id, name, email, phone }) => (
      <RowLink to="/customers/$id" params={{ id: _id }} text={name} note={email || maskPhone(phone)} />
    ),
  },
  { header: customerLabels.document, area: "none", cell: ({ document }) => <Quiet text={documentText(document)} /> },
  { header: customerLabels.phone, area: "none", cell: ({ phone }) => <Quiet text={maskPhone(phone)} /> },
  {
    header: "Deve hoje",
    area: "amount",
    end: true,
    cell: ({ owed: { open } }) =>
      open > 0 && (
        <b className="font-semibold whitespace-nowrap tabular-nums">
          <Reais>{open}</Reais>
        </b>
      ),
  },
  { header: "Vencido", area: "status", end: true, cell: ({ owed: { overdue } }) => <Overdue reais={overdue} /> },
]

function Overdue({ reais }: { reais: number }) {
  const amount = useReais()(reais)
  return reais > 0 && <Badge tone="danger">{amount}</Badge>
}

function Quiet({ text }: { text: string }) {
  return <span className="whitespace-nowrap text-t2 tabular-nums">{text}</span>
}

const route = getRouteApi("/session/customers")

export function CustomersPage() {
  const { page = 1, search, open, ...address } = route.useSearch()
  const status = wordOf(address.status, customerStatuses)
  const filters = { status: status === "archived" ? status : undefined, search }
  const { list, filter, set, screen } = useListPage(route, {
    query: customersQuery(page, filters),
    failed: sellerTexts.customersFailed,
    waiting: { rows: 10, label: "Carregando clientes" },
    paging: { page, perPage: pageSize },
  })
  const clear = useCallback(() => filter(noFilters), [filter])
  const rows = list.data?.data.customers ?? []
  return (
    <>
      <ListScreen
        title="Clientes"
        intro="Quem você cobra mais de uma vez."
        actions={
          <>
            <ExportButton
              head={heads.exportCustomers}
              query={filters}
              name="clientes"
              failed={sellerTexts.customersNotExported}
            />
            <Only roles={managers}>
              <span className="max-md:hidden">
                <ImportLink />
              </span>
              <Button variant="primary" icon="plus" onClick={() => set({ open: "new" })}>
                Novo cliente
              </Button>
            </Only>
          </>
        }
        {...screen}
        filters={
          <ListFilters
            searchLabel="Buscar por nome, documento, e-mail ou telefone"
            none="Ativos"
            value={filters}
            options={statusOptions}
            onChange={filter}
            onClear={clear}
            timeless
          />
        }
      >
        {rows.length > 0 && (
          <DataTable caption="Clientes" columns={columns} rows={rows} dimmed={list.isPlaceholderData} />
        )}
        {list.isSuccess && rows.length === 0 && (
          <NoRows
            filtered={isFiltered(filters) || page > 1}
            onClear={clear}
            title="Você ainda não cadastrou nenhum cliente"
            filteredTitle="Nenhum cliente encontrado"
            icon="users"
            action={
              <Only roles={managers}>
                <ImportLink />
              </Only>
            }
          >
            Cadastre quem você cobra todo mês, ou importe a sua planilha.
          </NoRows>
        )}
      </ListScreen>
      {open === "new" && <CustomerDialog customer={null} onClose={() => set({ open: undefined })} />}
    </>
  )
}

function ImportLink() {
  return (
    <Link to="/customers/$id" params={{ id: "import" }} className={buttonClass("secondary")}>
      Importar
    </Link>
  )
}

import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { TransactionsSummary, TransactionView } from "@tilinta/contract/transactions"
import { managers } from "@tilinta/contract/vocabulary/team"
import { type SellerStatusFilter, sellerStatusFilterWords } from "@tilinta/contract/vocabulary/transactions"
import { useCallback } from "react"
import { daysOf, formatDateTime, saoPauloDay } from "#format/dates.ts"
import { TransactionSums } from "#parts/transactions/transaction-details.tsx"
import { useFresh } from "#seller/live/live-store.ts"
import { Reais } from "#ui/amounts.tsx"
import { Button, buttonClass } from "#ui/button.tsx"
import { type Column, DataTable, DateCell } from "#ui/data-table.tsx"
import { ExportButton } from "#ui/export-button.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { isFiltered, ListFilters, noFilters } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { knownStatus } from "#ui/list-search.ts"
import { Only } from "#ui/only.tsx"
import { amountColumn, quietAmountColumn } from "#ui/table-columns.tsx"
import { RefundRequests } from "../counter/refund-requests.tsx"
import { useRefreshMs } from "../live/live-store.ts"
import * as sellerTexts from "../seller-texts.ts"
import { useRequestRefund } from "./refund-data.ts"
import { TransactionStatusBadge, TransactionTitle } from "./transaction-title.tsx"
import { pageSize, searchTotalsQuery, transactionsQuery } from "./transactions-data.ts"

const TransactionDialog = lazyDialog(() => import("./transaction-dialog.tsx"), "TransactionDialog")

const exported = { head: heads.exportTransactions, name: "transacoes", failed: sellerTexts.exportFailed } as const

const transactionStatusOptions = [
  { word: "pendente", label: "Pendente" },
  { word: "aprovado", label: "Aprovado" },
  { word: "recusado", label: "Recusado" },
  { word: "cancelado", label: "Cancelado" },
  { word: "expirado", label: "Expirado" },
  { word: "estornado", label: "Estornado" },
] as const satisfies readonly { word: SellerStatusFilter; label: string }[]

const net = { term: "Recebido (líquido)", of: ({ totalReceived }: TransactionsSummary) => totalReceived }

const route = getRouteApi("/session/transactions")

export function TransactionsPage() {
  const { transaction, checkoutPage, ...filters } = knownStatus(route.useSearch(), sellerStatusFilterWords)
  const { page = 1, status, search } = filters
  const request = useRequestRefund()
  const criteria = { status, search, checkoutPage, ...daysOf(filters, saoPauloDay(new Date())) }
  const { list, set, filter, screen } = useListPage(route, {
    query: transactionsQuery(page, criteria),
    refreshMs: useRefreshMs(),
    failed: sellerTexts.transactionsFailed,
    waiting: { rows: 8, label: "Carregando transações" },
    paging: { page, perPage: pageSize },
  })
  const totals = useQuery(searchTotalsQuery(criteria))
  const summary = search === undefined ? list.data?.data.summary : totals.data
  const clear = useCallback(() => filter({ ...noFilters, checkoutPage: undefined }), [filter])

  const rows = list.data?.data.transactions ?? []
  const hidesSome = isFiltered(filters) || page > 1 || checkoutPage !== undefined
  return (
    <ListScreen
      title="Transações"
      intro="Todas as transações Pix das suas páginas de cobrança."
      actions={<ExportButton {...exported} query={criteria} />}
      {...screen}
      filters={
        <>
          <ListFilters
            searchLabel="Buscar por descrição, página ou pagador"
            value={filters}
            options={transactionStatusOptions}
            onChange={filter}
            onClear={clear}
          />
          {checkoutPage !== undefined && <OnePage title={rows[0]?.checkoutPage.title} onAll={clear} />}
        </>
      }
      total={summary?.exact === true ? summary.count : undefined}
      mayGoOn={rows.length === pageSize}
    >
      <RefundRequests />
      {rows.length > 0 && (
        <>
          {/* Those of a search come after its rows. */}
          <TransactionSums
            summary={summary}
            failed={totals.isError}
            paidCountOf={({ paidCount }) => paidCount}
            net={net}
          />
          <TransactionTable rows={rows} dimmed={list.isPlaceholderData} />
        </>
      )}
      {list.isSuccess && rows.length === 0 && (
        <NoRows
          filtered={hidesSome}
          onClear={clear}
          title="Você ainda não tem transações"
          filteredTitle="Nenhuma transação encontrada"
          icon="exchange"
          action={
            <Only roles={managers}>
              <Link to="/checkouts/create" className={buttonClass("primary")}>
                Criar cobrança Pix
              </Link>
            </Only>
          }
        >
          Quando um cliente gerar um Pix em uma página sua, ele aparece aqui.
        </NoRows>
      )}
      {transaction !== undefined && (
        <TransactionDialog
          key={transaction}
          id={transaction}
          request={request}
          onClose={() => set({ transaction: undefined })}
        />
      )}
    </ListScreen>
  )
}

function OnePage({ title, onAll }: { title: string | undefined; onAll: () => void }) {
  return (
    <p className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 px-4 text-label text-t2">
      <span className="min-w-0 break-words">
        {title === undefined ? "Só de uma página de cobrança" : `Só da página '${title}'`}
      </span>
      <Button onClick={onAll}>Mostrar todas</Button>
    </p>
  )
}

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

function TransactionTable({ rows, dimmed }: { rows: readonly TransactionView[]; dimmed: boolean }) {
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

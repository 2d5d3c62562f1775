import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useCallback } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { saoPauloDay } from "#format/period.ts"
import { buttonClass } from "#ui/button.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import { ExportButton } from "#ui/export-button.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { isFiltered, ListFilters, noFilters } from "#ui/list-filters.tsx"
import { ListScreen, NothingFound } from "#ui/list-screen.tsx"
import { daysOf } from "#ui/list-search.ts"
import { useRefreshMs } from "../live/live-store.ts"
import { sellerTexts } from "../seller-texts.ts"
import { SummaryLine } from "./summary-line.tsx"
import { TransactionTable } from "./transaction-table.tsx"
import { pageSize, transactionsQuery } from "./transactions-list-data.ts"
import { statusFilterOptions, type TransactionsSearch } from "./transactions-search.ts"
import { useRequestRefund } from "./use-request-refund.ts"

const TransactionDialog = lazyDialog(() =>
  import("./transaction-dialog.tsx").then((module) => module.TransactionDialog),
)

const exported = {
  path: "/api/v1/payments/transactions/export",
  name: "transacoes",
  failed: sellerTexts.exportFailed,
} as const

const route = getRouteApi("/session/transactions")

export function TransactionsPage() {
  const { transaction, ...filters } = route.useSearch()
  const { page = 1, status, search } = filters
  const navigate = route.useNavigate()
  const request = useRequestRefund()
  const asked = { status, search, ...daysOf(filters, saoPauloDay(new Date())) }
  const list = useQuery({
    ...transactionsQuery(page, asked),
    placeholderData: keepPreviousData,
    refetchInterval: useRefreshMs(),
  })

  const filter = useCallback(
    (change: TransactionsSearch) => {
      void navigate({ search: (old) => ({ ...old, page: undefined, ...change }), replace: true })
    },
    [navigate],
  )
  const clear = useCallback(() => filter(noFilters), [filter])

  const rows = list.data?.data.transactions ?? []
  const hidesSome = isFiltered(filters) || page > 1
  return (
    <ListScreen
      title="Transações"
      intro="Todas as transações Pix das suas páginas de cobrança."
      actions={<ExportButton {...exported} query={asked} />}
      failure={
        list.isError
          ? { message: messageOf(list.error, sellerTexts.transactionsFailed), detail: detailOf(list.error) }
          : null
      }
      onRetry={() => void list.refetch()}
      busy={list.isFetching}
      filters={
        <ListFilters
          searchLabel="Buscar por descrição, página ou pagador"
          value={filters}
          options={statusFilterOptions}
          onChange={filter}
          onClear={clear}
        />
      }
      waiting={list.isPending ? { rows: 8, label: "Carregando transações" } : null}
      page={page}
      perPage={pageSize}
      total={list.data?.data.summary.exact === false ? undefined : list.data?.results}
      mayGoOn={rows.length === pageSize}
      onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next === 1 ? undefined : next }) })}
    >
      {rows.length > 0 && list.data !== undefined && (
        <>
          <SummaryLine summary={list.data.data.summary} />
          <TransactionTable rows={rows} dimmed={list.isPlaceholderData} />
        </>
      )}
      {list.isSuccess && rows.length === 0 && !hidesSome && <NoTransactions />}
      {list.isSuccess && rows.length === 0 && hidesSome && (
        <NothingFound title="Nenhuma transação encontrada" onClear={clear} />
      )}
      {transaction !== undefined && (
        <TransactionDialog
          key={transaction}
          id={transaction}
          request={request}
          onClose={() => void navigate({ search: (old) => ({ ...old, transaction: undefined }), replace: true })}
        />
      )}
    </ListScreen>
  )
}

function NoTransactions() {
  return (
    <EmptyState
      icon="exchange"
      title="Você ainda não tem transações"
      action={
        <Link to="/checkouts/create" className={buttonClass("primary")}>
          Criar cobrança Pix
        </Link>
      }
    >
      Quando um cliente gerar um Pix em uma página sua, ele aparece aqui.
    </EmptyState>
  )
}

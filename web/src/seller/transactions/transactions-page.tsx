import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useCallback } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card } from "#ui/card.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { Pagination } from "#ui/pagination.tsx"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { ListFilters } from "../list-filters.tsx"
import { sellerTexts } from "../seller-texts.ts"
import { SummaryLine } from "./summary-line.tsx"
import { TransactionTable } from "./transaction-table.tsx"
import { pageSize, transactionsQuery } from "./transactions-data.ts"
import { statusFilterOptions, type TransactionsSearch } from "./transactions-search.ts"

const route = getRouteApi("/session/transactions")

export function TransactionsPage() {
  const { page = 1, status, search } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery({
    ...transactionsQuery({ page, status, search }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })

  const filter = useCallback(
    (change: TransactionsSearch) => {
      void navigate({ search: (old) => ({ ...old, page: undefined, ...change }), replace: true })
    },
    [navigate],
  )
  const searchFor = useCallback((text: string) => filter({ search: text === "" ? undefined : text }), [filter])
  const clear = useCallback(() => void navigate({ search: {}, replace: true }), [navigate])

  const isFiltered = status !== undefined || search !== undefined
  const rows = list.data?.data.transactions ?? []
  return (
    <>
      <div className="mb-1">
        <PageTitle title="Transações" />
        <p className="mt-1 text-t2">Cada PIX gerado nas suas páginas de cobrança.</p>
      </div>
      {list.isError && (
        <LoadFailure
          message={messageOf(list.error, sellerTexts.transactionsFailed)}
          detail={detailOf(list.error)}
          onRetry={() => void list.refetch()}
          busy={list.isFetching}
        />
      )}
      <Card className="p-2 pt-4">
        <ListFilters
          searchLabel="Buscar por descrição, página ou pagador"
          search={search}
          onSearch={searchFor}
          status={status}
          options={statusFilterOptions}
          onStatus={(next) => filter({ status: next })}
          onClear={clear}
        />
        {list.isPending && <RowsSkeleton rows={8} label="Carregando transações" />}
        {rows.length > 0 && list.data !== undefined && (
          <>
            <SummaryLine summary={list.data.data.summary} />
            <TransactionTable rows={rows} dimmed={list.isPlaceholderData} />
          </>
        )}
        {list.isSuccess && rows.length === 0 && <NothingHere filtered={isFiltered || page > 1} onClear={clear} />}
        {list.isSuccess && (
          <Pagination
            page={page}
            perPage={pageSize}
            total={list.data.results}
            onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next === 1 ? undefined : next }) })}
          />
        )}
      </Card>
    </>
  )
}

function NothingHere({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <EmptyState
        icon="search"
        title="Nenhuma transação encontrada"
        action={<Button onClick={onClear}>Limpar filtros</Button>}
      >
        Nada corresponde aos filtros escolhidos.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="exchange"
      title="Você ainda não tem transações"
      action={
        <Link to="/checkouts/create" className={buttonClass("primary")}>
          Criar cobrança PIX
        </Link>
      }
    >
      Quando um cliente gerar um PIX em uma página sua, ele aparece aqui.
    </EmptyState>
  )
}

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { chargePageStatuses, chargePageStatusLabels } from "@tilinta/contract/vocabulary/charge-page-status"
import { useCallback, useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card } from "#ui/card.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import { Icon } from "#ui/icon.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { Pagination } from "#ui/pagination.tsx"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { chargePagesQuery, pageSize } from "../charge-pages/charge-pages-data.ts"
import { ListFilters } from "../list-filters.tsx"
import { sellerTexts } from "../seller-texts.ts"
import type { ChargeListSearch } from "./charge-list-search.ts"
import { ChargeTable } from "./charge-table.tsx"
import { matchesText } from "./matches-text.ts"

const statusOptions = chargePageStatuses.map((word) => ({ word, label: chargePageStatusLabels[word] }))

const route = getRouteApi("/session/checkouts")

export function ChargeListPage() {
  const { page = 1, status, search } = route.useSearch()
  const navigate = route.useNavigate()
  const [typed, setTyped] = useState(search ?? "")
  const list = useQuery({ ...chargePagesQuery({ page, status, search }), placeholderData: keepPreviousData })

  const filter = useCallback(
    (change: ChargeListSearch) => {
      void navigate({ search: (old) => ({ ...old, page: undefined, ...change }), replace: true })
    },
    [navigate],
  )
  const searchFor = useCallback((text: string) => filter({ search: text === "" ? undefined : text }), [filter])

  function clear(): void {
    setTyped("")
    void navigate({ search: {}, replace: true })
  }

  const isFiltered = status !== undefined || search !== undefined
  const rows = (list.data?.data.checkoutPages ?? []).filter((row) => matchesText(row, typed))
  return (
    <>
      <div className="mb-1 flex items-end justify-between gap-5 max-md:flex-col max-md:items-stretch">
        <div>
          <PageTitle title="Páginas de Cobrança" />
          <p className="mt-1 text-t2">Os links que você envia aos seus clientes.</p>
        </div>
        <Link to="/checkouts/create" className={buttonClass("primary")}>
          <Icon name="plus" className="size-5 stroke-[2.1]" />
          Nova Cobrança
        </Link>
      </div>
      {list.isError && (
        <LoadFailure
          message={messageOf(list.error, sellerTexts.chargesFailed)}
          detail={detailOf(list.error)}
          onRetry={() => void list.refetch()}
          busy={list.isFetching}
        />
      )}
      <Card className="p-2 pt-4">
        <ListFilters
          searchLabel="Buscar por título"
          search={search}
          onSearch={searchFor}
          onType={setTyped}
          status={status}
          options={statusOptions}
          onStatus={(next) => filter({ status: next })}
          onClear={clear}
        />
        {list.isPending && <RowsSkeleton rows={pageSize} label="Carregando páginas de cobrança" />}
        {rows.length > 0 && <ChargeTable rows={rows} dimmed={list.isPlaceholderData} />}
        {list.isSuccess && rows.length === 0 && (
          <NothingHere filtered={isFiltered || typed !== ""} page={page} onClear={clear} />
        )}
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

function NothingHere({ filtered, page, onClear }: { filtered: boolean; page: number; onClear: () => void }) {
  if (filtered || page > 1) {
    return (
      <EmptyState
        icon="search"
        title="Nenhuma página de cobrança encontrada"
        action={<Button onClick={onClear}>Limpar filtros</Button>}
      >
        Nada corresponde aos filtros escolhidos.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="file"
      title={sellerTexts.noCharges}
      action={
        <Link to="/checkouts/create" className={buttonClass("secondary")}>
          Criar primeira cobrança
        </Link>
      }
    >
      Crie um link, envie ao cliente e receba por PIX.
    </EmptyState>
  )
}

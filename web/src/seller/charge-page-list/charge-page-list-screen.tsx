import { getRouteApi, Link } from "@tanstack/react-router"
import { chargePageStatuses, chargePageStatusLabels } from "@tilinta/contract/vocabulary/charge-pages"
import { useCallback, useState } from "react"
import { saoPauloDay } from "#format/dates.ts"
import { useRefreshMs } from "#seller/live/live-store.ts"
import { type ChargePageListSearch, kindFilter, listedKinds } from "#seller/search-params.ts"
import { sellerTexts } from "#seller/seller-texts.ts"
import { buttonClass } from "#ui/button.tsx"
import { EmptyState } from "#ui/card.tsx"
import { Select } from "#ui/choice-inputs.tsx"
import { Icon } from "#ui/icon.tsx"
import { isFiltered, ListFilters, noFilters } from "#ui/list-filters.tsx"
import { ListScreen, NothingFound, useListPage } from "#ui/list-screen.tsx"
import { daysOf } from "#ui/list-search.ts"
import { chargePagesQuery, matchesText, pageSize } from "./charge-page-list-data.ts"
import { ChargePageListTable } from "./charge-page-list-table.tsx"

const statusOptions = chargePageStatuses.map((word) => ({ word, label: chargePageStatusLabels[word] }))

const route = getRouteApi("/session/checkouts")

export function ChargePageListScreen() {
  const filters = route.useSearch()
  const { page = 1, status, search } = filters
  const [typed, setTyped] = useState(search ?? "")
  const days = daysOf(filters, saoPauloDay(new Date()))
  const { list, filter, screen } = useListPage(route, {
    query: chargePagesQuery({ page, status, search, kind: kindFilter(filters), ...days }),
    refreshMs: useRefreshMs(),
    failed: sellerTexts.chargePagesFailed,
    waiting: { rows: pageSize, label: "Carregando páginas de cobrança" },
    paging: { page, perPage: pageSize },
  })
  const clear = useCallback(() => {
    setTyped("")
    filter({ ...noFilters, kind: undefined })
  }, [filter])

  const rows = (list.data?.data.checkoutPages ?? []).filter((row) => matchesText(row, typed))
  const hidesSome = isFiltered(filters) || filters.kind !== undefined || typed !== "" || page > 1
  return (
    <ListScreen
      title="Páginas de Cobrança"
      intro="Os links que você envia aos seus clientes."
      actions={
        <Link to="/checkouts/create" className={buttonClass("primary")}>
          <Icon name="plus" className="size-5 stroke-[2.1]" />
          Nova Cobrança
        </Link>
      }
      {...screen}
      filters={
        <ListFilters
          searchLabel="Buscar por título ou referência"
          hidesMore={filters.kind !== undefined}
          value={filters}
          options={statusOptions}
          onChange={filter}
          onClear={clear}
          onType={setTyped}
        >
          <KindFilter value={filters.kind} onChange={(kind) => filter({ kind })} />
        </ListFilters>
      }
    >
      {rows.length > 0 && <ChargePageListTable rows={rows} dimmed={list.isPlaceholderData} />}
      {list.isSuccess && rows.length === 0 && !hidesSome && <NoChargePages />}
      {list.isSuccess && rows.length === 0 && hidesSome && (
        <NothingFound title="Nenhuma página de cobrança encontrada" onClear={clear} />
      )}
    </ListScreen>
  )
}

interface KindProps {
  value: ChargePageListSearch["kind"]
  onChange: (kind: ChargePageListSearch["kind"]) => void
}

function KindFilter({ value, onChange }: KindProps) {
  return (
    <Select
      aria-label="Tipo"
      value={value ?? ""}
      onChange={(event) => onChange(listedKinds.find((kind) => kind === event.target.value))}
      className="shrink-0 basis-44"
    >
      <option value="">Páginas</option>
      <option value="single">Cobranças avulsas</option>
      <option value="all">Páginas e avulsas</option>
    </Select>
  )
}

function NoChargePages() {
  return (
    <EmptyState
      icon="file"
      title={sellerTexts.noChargePages}
      action={
        <Link to="/checkouts/create" className={buttonClass("secondary")}>
          Criar primeira cobrança
        </Link>
      }
    >
      Crie um link, envie ao cliente e receba por Pix.
    </EmptyState>
  )
}

import { getRouteApi, Link } from "@tanstack/react-router"
import { chargePageStatuses, chargePageStatusLabels } from "@tilinta/contract/vocabulary/charge-pages"
import { useCallback, useState } from "react"
import { daysOf, saoPauloDay } from "#format/dates.ts"
import { useRefreshMs } from "#seller/live/live-store.ts"
import { kindFilter } from "#seller/search-params.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { buttonClass } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"
import { FilterSelect, isFiltered, ListFilters, noFilters, optionsOf } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { knownStatus } from "#ui/list-search.ts"
import { chargePagesQuery, matchesText, pageSize } from "./charge-page-list-data.ts"
import { ChargePageListTable } from "./charge-page-list-table.tsx"

const statusOptions = optionsOf(chargePageStatuses, chargePageStatusLabels)

const kindOptions = [
  { word: "single", label: "Cobranças avulsas" },
  { word: "all", label: "Páginas e avulsas" },
] as const

const route = getRouteApi("/session/checkouts")

export function ChargePageListScreen() {
  const filters = knownStatus(route.useSearch(), chargePageStatuses)
  const { page = 1, status, search, kind } = filters
  const [typed, setTyped] = useState(search ?? "")
  const days = daysOf(filters, saoPauloDay(new Date()))
  const { list, filter, screen } = useListPage(route, {
    query: chargePagesQuery({ page, status, search, kind: kindFilter({ kind, search }), ...days }),
    refreshMs: useRefreshMs(),
    failed: sellerTexts.chargePagesFailed,
    waiting: { rows: pageSize, label: "Carregando páginas de cobrança" },
    paging: { page, perPage: pageSize },
  })
  const clear = useCallback(() => {
    setTyped("")
    filter({ ...noFilters, kind: undefined })
  }, [filter, setTyped])

  const rows = (list.data?.data.checkoutPages ?? []).filter((row) => matchesText(row, typed))
  const hidesSome = isFiltered(filters) || kind !== undefined || typed !== "" || page > 1
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
          hidesMore={kind !== undefined}
          value={filters}
          options={statusOptions}
          onChange={filter}
          onClear={clear}
          onType={setTyped}
        >
          <FilterSelect
            label="Tipo"
            none="Páginas"
            options={kindOptions}
            value={kind}
            onChange={(kind) => filter({ kind })}
          />
        </ListFilters>
      }
    >
      {rows.length > 0 && <ChargePageListTable rows={rows} dimmed={list.isPlaceholderData} />}
      {list.isSuccess && rows.length === 0 && (
        <NoRows
          filtered={hidesSome}
          onClear={clear}
          title={sellerTexts.noChargePages}
          filteredTitle="Nenhuma página de cobrança encontrada"
          icon="file"
          action={
            <Link to="/checkouts/create" className={buttonClass("secondary")}>
              Criar primeira cobrança
            </Link>
          }
        >
          Crie um link, envie ao cliente e receba por Pix.
        </NoRows>
      )}
    </ListScreen>
  )
}

import { getRouteApi } from "@tanstack/react-router"
import { chargePageStatuses, chargePageStatusLabels } from "@tilinta/contract/vocabulary/charge-pages"
import { useCallback } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { inTransactions } from "#admin/section-tabs.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { isFiltered, ListFilters, optionsOf } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { knownStatus } from "#ui/list-search.ts"
import { allChargePagesQuery, pageSize } from "./all-charge-pages-data.ts"
import { ChargePageTable } from "./charge-page-table.tsx"

const ChargePageDialog = lazyDialog(() => import("./charge-page-dialog.tsx"), "ChargePageDialog")

const statusOptions = optionsOf(chargePageStatuses, chargePageStatusLabels)

const route = getRouteApi("/session/admin/checkout-pages")

export function ChargePagesPage() {
  const { checkout: openId, ...filters } = knownStatus(route.useSearch(), chargePageStatuses)
  const { page = 1, status, search } = filters
  const { list, set, filter, screen } = useListPage(route, {
    query: allChargePagesQuery(page, { status, search }),
    failed: adminTexts.chargePagesFailed,
    waiting: { rows: 8, label: "Carregando páginas de cobrança" },
    paging: { page, perPage: pageSize },
  })
  const clear = useCallback(() => filter({ status: undefined, search: undefined }), [filter])

  const rows = list.data?.data.checkouts ?? []
  const hidesSome = isFiltered(filters) || page > 1
  return (
    <ListScreen
      {...inTransactions}
      title="Páginas de Cobrança"
      intro="As páginas de todos os vendedores."
      {...screen}
      filters={
        <ListFilters
          searchLabel="Buscar por título ou vendedor"
          value={filters}
          options={statusOptions}
          onChange={filter}
          onClear={clear}
          timeless
        />
      }
    >
      {rows.length > 0 && <ChargePageTable rows={rows} dimmed={list.isPlaceholderData} />}
      {list.isSuccess && rows.length === 0 && (
        <NoRows filtered={hidesSome} onClear={clear} title={adminTexts.noChargePages} icon="file" />
      )}
      {openId !== undefined && (
        <ChargePageDialog key={openId} id={openId} onClose={() => set({ checkout: undefined })} />
      )}
    </ListScreen>
  )
}

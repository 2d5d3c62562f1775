import { getRouteApi } from "@tanstack/react-router"
import type { DisputesSummary } from "@tilinta/contract/disputes"
import { disputeReasonLabels, disputeReasons } from "@tilinta/contract/vocabulary/dispute-status"
import { useCallback, useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { inPending } from "#admin/section-tabs.tsx"
import { formatCount } from "#format/money-text.ts"
import { useReais } from "#ui/amounts.tsx"
import { Button } from "#ui/button.tsx"
import { SumsLine } from "#ui/facts.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { FilterSelect, isFiltered, ListFilters, optionsOf } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { wordOf } from "#ui/list-search.ts"
import { disputesQuery, pageSize } from "./disputes-data.ts"
import { DisputesTable } from "./disputes-table.tsx"

const DisputeDialog = lazyDialog(() => import("./dispute-dialog.tsx"), "DisputeDialog")
const RegisterDialog = lazyDialog(() => import("./register-dialog.tsx"), "RegisterDialog")

const statusOptions = [
  { word: "accepted", label: "Aceitas" },
  { word: "released", label: "Liberadas" },
  { word: "all", label: "Todas" },
] as const
const reasonOptions = optionsOf(disputeReasons, disputeReasonLabels)

const route = getRouteApi("/session/admin/disputes")
const refreshMs = 15_000

export function DisputesPage() {
  const { dispute: openId, page = 1, reason, ...others } = route.useSearch()
  const criteria = { ...others, reason: wordOf(reason, disputeReasons) }
  const [registering, setRegistering] = useState(false)
  const { list, set, filter, screen } = useListPage(route, {
    query: disputesQuery(page, criteria),
    refreshMs,
    failed: adminTexts.disputesFailed,
    waiting: { rows: 6, label: "Carregando contestações" },
    paging: { page, perPage: pageSize },
  })
  const clear = useCallback(() => filter({ status: undefined, reason: undefined, search: undefined }), [filter])
  const rows = list.data?.data.disputes ?? []
  return (
    <ListScreen
      {...inPending}
      title="Contestações"
      intro="Pix que os pagadores contestaram no banco deles: o valor fica bloqueado até a decisão."
      actions={
        list.data?.data.toldByBank === false && (
          <Button variant="primary" onClick={() => setRegistering(true)}>
            Registrar contestação
          </Button>
        )
      }
      {...screen}
      filters={
        <ListFilters
          searchLabel="Buscar por vendedor ou ID do pagamento"
          value={criteria}
          none="Em andamento"
          options={statusOptions}
          onChange={filter}
          onClear={clear}
          hidesMore={criteria.reason !== undefined}
          timeless
        >
          <FilterSelect
            label="Motivo"
            none="Todos os motivos"
            options={reasonOptions}
            value={criteria.reason}
            onChange={(word) => filter({ reason: word })}
          />
        </ListFilters>
      }
    >
      {rows.length > 0 && list.data !== undefined && (
        <>
          <Sums summary={list.data.data.summary} />
          <DisputesTable rows={rows} dimmed={list.isPlaceholderData} />
        </>
      )}
      {list.isSuccess && rows.length === 0 && (
        <NoRows
          filtered={isFiltered(criteria) || criteria.reason !== undefined || page > 1}
          onClear={clear}
          title={adminTexts.noDisputes}
          filteredTitle="Nenhuma contestação encontrada"
          icon="check"
        >
          Nenhum pagador contesta um pagamento agora.
        </NoRows>
      )}
      {openId !== undefined && <DisputeDialog key={openId} id={openId} onClose={() => set({ dispute: undefined })} />}
      {registering && <RegisterDialog onClose={() => setRegistering(false)} />}
    </ListScreen>
  )
}

function Sums({ summary }: { summary: DisputesSummary }) {
  const reais = useReais()
  const sums = [
    { term: summary.count === 1 ? "Contestação" : "Contestações", value: formatCount(summary.count), minor: true },
    { term: "Contestado", value: reais(summary.totalAmount) },
    { term: "Bloqueado", value: reais(summary.totalBlocked) },
  ]
  return <SumsLine sums={sums} />
}

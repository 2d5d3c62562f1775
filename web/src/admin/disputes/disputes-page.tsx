import { getRouteApi, Link } from "@tanstack/react-router"
import type { DisputesSummary } from "@tilinta/contract/disputes"
import { lazy, Suspense, useCallback, useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { formatCount } from "#format/money-text.ts"
import { useReais } from "#ui/amounts.tsx"
import { Button, buttonClass } from "#ui/button.tsx"
import { EmptyState } from "#ui/card.tsx"
import { SumsLine } from "#ui/facts.tsx"
import { ListScreen, NothingFound, useListPage } from "#ui/list-screen.tsx"
import { disputesQuery, pageSize } from "./disputes-data.ts"
import { DisputesFilters, DisputesTable, hasFilters } from "./disputes-table.tsx"

const DisputeDialog = lazy(() => import("./dispute-dialog.tsx").then((module) => ({ default: module.DisputeDialog })))
const RegisterDialog = lazy(() =>
  import("./register-dialog.tsx").then((module) => ({ default: module.RegisterDialog })),
)

const route = getRouteApi("/session/admin/disputes")
const refreshMs = 15_000

export function DisputesPage() {
  const { dispute: openId, page = 1, ...criteria } = route.useSearch()
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
      title="Contestações"
      intro="Pix que os pagadores contestaram no banco deles: o valor fica bloqueado até a decisão."
      actions={
        <>
          <Link to="/admin/transactions" className={buttonClass("secondary", "max-md:hidden")}>
            Ver transações
          </Link>
          {list.data?.data.toldByBank === false && (
            <Button variant="primary" onClick={() => setRegistering(true)}>
              Registrar contestação
            </Button>
          )}
        </>
      }
      {...screen}
      filters={<DisputesFilters value={criteria} onChange={filter} onClear={clear} />}
    >
      {rows.length > 0 && list.data !== undefined && (
        <>
          <Sums summary={list.data.data.summary} />
          <DisputesTable rows={rows} dimmed={list.isPlaceholderData} />
        </>
      )}
      {list.isSuccess && rows.length === 0 && (
        <NoDisputes filtered={hasFilters(criteria) || page > 1} onClear={clear} />
      )}
      <Suspense>
        {openId !== undefined && <DisputeDialog key={openId} id={openId} onClose={() => set({ dispute: undefined })} />}
        {registering && <RegisterDialog onClose={() => setRegistering(false)} />}
      </Suspense>
    </ListScreen>
  )
}

function Sums({ summary }: { summary: DisputesSummary }) {
  const reais = useReais()
  const sums = [
    { term: summary.count === 1 ? "Contestação" : "Contestações", value: formatCount(summary.count) },
    { term: "Contestado", value: reais(summary.totalAmount) },
    { term: "Bloqueado", value: reais(summary.totalBlocked) },
  ]
  return <SumsLine sums={sums} />
}

function NoDisputes({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) return <NothingFound title="Nenhuma contestação encontrada" onClear={onClear} />
  return (
    <EmptyState icon="check" title={adminTexts.noDisputes}>
      Nenhum pagador contesta um pagamento agora.
    </EmptyState>
  )
}

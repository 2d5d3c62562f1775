import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import type { AdminWithdrawalView } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import { lazy, Suspense, useCallback, useState } from "react"
import { saoPauloDay } from "#format/period.ts"
import { EmptyState } from "#ui/empty-state.tsx"
import { ExportButton } from "#ui/export-button.tsx"
import { isFiltered, ListFilters, noFilters } from "#ui/list-filters.tsx"
import { ListScreen, NothingFound } from "#ui/list-screen.tsx"
import { daysOf } from "#ui/list-search.ts"
import { adminTexts } from "../admin-texts.ts"
import { listFailure } from "../list-failure.ts"
import type { Decision } from "./decision.ts"
import { inTriageOrder } from "./triage-order.ts"
import { TriageTable } from "./triage-table.tsx"
import { withdrawalStatusOptions } from "./withdrawal-status-badge.tsx"
import { WithdrawalsCards } from "./withdrawals-cards.tsx"
import { listPath, pageSize, refreshMs, withdrawalsQuery } from "./withdrawals-data.ts"
import type { AdminWithdrawalsSearch } from "./withdrawals-search.ts"

const WithdrawalDialog = lazy(() =>
  import("./withdrawal-dialog.tsx").then((module) => ({ default: module.WithdrawalDialog })),
)
const DecisionDialog = lazy(() =>
  import("./decision-dialog.tsx").then((module) => ({ default: module.DecisionDialog })),
)

const exported = { path: `${listPath}/export`, name: "saques", failed: adminTexts.notExported } as const

const route = getRouteApi("/session/admin/withdrawals")

interface Question {
  decision: Decision
  withdrawal: AdminWithdrawalView
}

export function WithdrawalsPage() {
  const { withdrawal: openId, ...filters } = route.useSearch()
  const { page = 1, status, search } = filters
  const navigate = route.useNavigate()
  const [question, setQuestion] = useState<Question | null>(null)
  const asked = { status, search, ...daysOf(filters, saoPauloDay(new Date())) }
  const list = useQuery({
    ...withdrawalsQuery(page, asked),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })

  const filter = useCallback(
    (change: AdminWithdrawalsSearch) => {
      void navigate({ search: (old) => ({ ...old, page: undefined, ...change }), replace: true })
    },
    [navigate],
  )
  const clear = useCallback(() => filter(noFilters), [filter])
  const rows = inTriageOrder(list.data?.data.withdrawals ?? [], { status, total: list.data?.results ?? 0 })
  return (
    <ListScreen
      title="Saques"
      intro="Pedidos de saque dos vendedores, para aprovar, rejeitar e acompanhar."
      actions={<ExportButton {...exported} query={asked} />}
      failure={listFailure(list.error, adminTexts.withdrawalsFailed)}
      onRetry={() => void list.refetch()}
      busy={list.isFetching}
      summary={<WithdrawalsCards asked={asked} onChoose={(word) => filter({ status: word })} />}
      filters={
        <ListFilters
          searchLabel="Buscar por vendedor, e-mail ou chave"
          value={filters}
          options={withdrawalStatusOptions}
          onChange={filter}
          onClear={clear}
        />
      }
      waiting={list.isPending ? { rows: 8, label: "Carregando saques" } : null}
      page={page}
      perPage={pageSize}
      total={list.data?.results}
      onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next === 1 ? undefined : next }) })}
    >
      {rows.length > 0 && (
        <TriageTable
          rows={rows}
          dimmed={list.isPlaceholderData}
          onDecide={(decision, withdrawal) => setQuestion({ decision, withdrawal })}
        />
      )}
      {list.isSuccess && rows.length === 0 && (
        <NoWithdrawals filtered={isFiltered(filters) || page > 1} onClear={clear} />
      )}
      <Dialogs
        openId={openId}
        rows={rows}
        question={question}
        onDecide={setQuestion}
        onOpen={(withdrawal) => void navigate({ search: (old) => ({ ...old, withdrawal }), replace: true })}
      />
    </ListScreen>
  )
}

function NoWithdrawals({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) return <NothingFound title={adminTexts.noWithdrawals} onClear={onClear} />
  return (
    <EmptyState icon="bank" title={adminTexts.noWithdrawals}>
      Quando um vendedor pedir um saque, ele aparece aqui.
    </EmptyState>
  )
}

interface DialogsProps {
  openId: string | undefined
  rows: readonly AdminWithdrawalView[]
  question: Question | null
  onDecide: (question: Question | null) => void
  onOpen: (id: string | undefined) => void
}

function Dialogs({ openId, rows, question, onDecide, onOpen }: DialogsProps) {
  return (
    <Suspense>
      {openId !== undefined && (
        <WithdrawalDialog
          key={openId}
          id={openId}
          listed={rows.find(({ _id }) => _id === openId)}
          onDecide={(decision, withdrawal) => onDecide({ decision, withdrawal })}
          onClose={() => onOpen(undefined)}
        />
      )}
      {question !== null && (
        <DecisionDialog {...question} onOutrun={() => onOpen(question.withdrawal._id)} onClose={() => onDecide(null)} />
      )}
    </Suspense>
  )
}

import { getRouteApi, Link } from "@tanstack/react-router"
import { useCallback } from "react"
import { buttonClass } from "#ui/button.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import { useListPage } from "#ui/list-page.ts"
import { ListScreen, NothingFound } from "#ui/list-screen.tsx"
import { adminTexts } from "../admin-texts.ts"
import { UnmatchedCards } from "./unmatched-cards.tsx"
import { pageSize, unmatchedQuery } from "./unmatched-data.ts"
import { UnmatchedDialogs } from "./unmatched-dialogs.tsx"
import { hasFilters, UnmatchedFilters } from "./unmatched-filters.tsx"
import { UnmatchedTable } from "./unmatched-table.tsx"
import { UnreadableEntries } from "./unreadable-entries.tsx"

const route = getRouteApi("/session/admin/unmatched-payments")
const refreshMs = 15_000

export function UnmatchedPaymentsPage() {
  const { payment: openId, page = 1, ...asked } = route.useSearch()
  const { list, set, filter, screen } = useListPage(route, {
    query: unmatchedQuery(page, asked),
    refreshMs,
    failed: adminTexts.unmatchedFailed,
    waiting: { rows: 6, label: "Carregando pagamentos a conferir" },
    paging: { page, perPage: pageSize },
  })
  const clear = useCallback(() => filter({ status: undefined, reason: undefined, search: undefined }), [filter])
  const rows = list.data?.data.payments ?? []
  return (
    <ListScreen
      title="Pagamentos a conferir"
      intro="Pix que chegaram de um jeito inesperado: uma pessoa decide se ficam ou voltam."
      actions={
        <>
          <Link to="/admin/daily-closes" className={buttonClass("secondary", "max-md:hidden")}>
            Fechamento diário
          </Link>
          <Link to="/admin/transactions" className={buttonClass("secondary", "max-md:hidden")}>
            Ver transações
          </Link>
        </>
      }
      {...screen}
      summary={
        <>
          <UnreadableEntries entries={list.data?.data.unreadable ?? []} />
          <UnmatchedCards asked={asked} onChoose={(reason) => filter({ reason })} />
        </>
      }
      filters={<UnmatchedFilters value={asked} onChange={filter} onClear={clear} />}
    >
      {rows.length > 0 && <UnmatchedTable rows={rows} dimmed={list.isPlaceholderData} />}
      {list.isSuccess && rows.length === 0 && (
        <NothingToCheck filtered={hasFilters(asked) || page > 1} onClear={clear} />
      )}
      <UnmatchedDialogs openId={openId} rows={rows} onClose={() => set({ payment: undefined })} />
    </ListScreen>
  )
}

function NothingToCheck({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) return <NothingFound title="Nenhum pagamento encontrado" onClear={onClear} />
  return (
    <EmptyState icon="check" title={adminTexts.noUnmatched}>
      Tudo o que chegou foi reconhecido e creditado.
    </EmptyState>
  )
}

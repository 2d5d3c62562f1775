import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { EmptyState } from "#ui/empty-state.tsx"
import { ListScreen } from "#ui/list-screen.tsx"
import { adminTexts } from "../admin-texts.ts"
import { listFailure } from "../list-failure.ts"
import { ClosesTable } from "./closes-table.tsx"
import { closesQuery, pageSize } from "./daily-closes-data.ts"

const CloseDialog = lazy(() => import("./daily-close-dialog.tsx").then((module) => ({ default: module.CloseDialog })))

const route = getRouteApi("/session/admin/daily-closes")

export function DailyClosesPage() {
  const { close: openId, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery({ ...closesQuery(page), placeholderData: keepPreviousData })
  const rows = list.data?.data.closes ?? []
  return (
    <ListScreen
      title="Fechamento diário"
      intro="Cada dia dos nossos livros, comparado com a lista do banco."
      failure={listFailure(list.error, adminTexts.closesFailed)}
      onRetry={() => void list.refetch()}
      busy={list.isFetching}
      filters={null}
      waiting={list.isPending ? { rows: 6, label: "Carregando fechamentos" } : null}
      page={page}
      perPage={pageSize}
      total={list.data?.results}
      onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next === 1 ? undefined : next }) })}
    >
      {rows.length > 0 && <ClosesTable rows={rows} dimmed={list.isPlaceholderData} />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState icon="check" title={adminTexts.noCloses}>
          O primeiro fechamento sai algumas horas depois da meia-noite.
        </EmptyState>
      )}
      <Suspense>
        {openId !== undefined && (
          <CloseDialog
            key={openId}
            id={openId}
            onClose={() => void navigate({ search: (old) => ({ ...old, close: undefined }), replace: true })}
          />
        )}
      </Suspense>
    </ListScreen>
  )
}

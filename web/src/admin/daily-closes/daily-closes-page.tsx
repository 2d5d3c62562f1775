import { getRouteApi } from "@tanstack/react-router"
import { inBooks } from "#admin/section-tabs.tsx"
import { EmptyState } from "#ui/card.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { ListScreen, useListPage } from "#ui/list-screen.tsx"
import { adminTexts } from "../admin-texts.ts"
import { ClosesTable } from "./closes-table.tsx"
import { closesQuery, pageSize } from "./daily-closes-data.ts"

const CloseDialog = lazyDialog(() => import("./daily-close-dialog.tsx"), "CloseDialog")

const route = getRouteApi("/session/admin/daily-closes")

export function DailyClosesPage() {
  const { close: openId, page = 1 } = route.useSearch()
  const { list, set, screen } = useListPage(route, {
    query: closesQuery(page),
    failed: adminTexts.closesFailed,
    waiting: { rows: 6, label: "Carregando fechamentos" },
    paging: { page, perPage: pageSize },
  })
  const rows = list.data?.data.closes ?? []
  return (
    <ListScreen
      {...inBooks}
      title="Fechamento diário"
      intro="Cada dia dos nossos livros, comparado com a lista do banco."
      {...screen}
      filters={null}
    >
      {rows.length > 0 && <ClosesTable rows={rows} dimmed={list.isPlaceholderData} />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState icon="check" title={adminTexts.noCloses}>
          O primeiro fechamento sai algumas horas depois da meia-noite.
        </EmptyState>
      )}
      {openId !== undefined && <CloseDialog key={openId} id={openId} onClose={() => set({ close: undefined })} />}
    </ListScreen>
  )
}

import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import type { PageReportView } from "@tilinta/contract/page-reports"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { type PageReportsSearch } from "#admin/search-params.ts"
import { inPending } from "#admin/section-tabs.tsx"
import { detailOf, messageOf } from "#api/api-error.ts"
import { Card, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { FilterSelect } from "#ui/list-filters.tsx"
import { MoreButton, NoRows } from "#ui/list-screen.tsx"
import { ScreenHead } from "#ui/tabs.tsx"
import { toast } from "#ui/toast.ts"
import { DecisionDialog } from "./decision-dialog.tsx"
import { PageReportCard } from "./page-report-card.tsx"
import { type Decision, decideReport, pageReportsQuery } from "./page-reports-data.ts"

const statusOptions = [
  { word: "suspended", label: "Páginas suspensas" },
  { word: "dismissed", label: "Descartadas" },
  { word: "lifted", label: "Suspensão retirada" },
  { word: "all", label: "Todas" },
] as const

const route = getRouteApi("/session/admin/page-reports")

export function PageReportsPage() {
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useInfiniteQuery(pageReportsQuery({ status }))
  const [opened, setOpened] = useState<{ report: PageReportView; to: Decision["to"] } | null>(null)
  const decide = useDecide(() => setOpened(null))
  const reports = list.data?.pages.flatMap((part) => part.reports) ?? []
  const filter = (change: PageReportsSearch) => void navigate({ search: change, replace: true })
  return (
    <>
      <ScreenHead
        {...inPending}
        title="Denúncias"
        intro="Páginas de cobrança que pagadores denunciaram."
        actions={
          <FilterSelect
            label="Status"
            none="A decidir"
            options={statusOptions}
            value={status}
            onChange={(next) => filter({ status: next })}
            className="basis-52"
          />
        }
      />
      <QueryFailure query={list} failed={adminTexts.reportsFailed} />
      {list.isPending && (
        <Card className="p-2 pt-4">
          <RowsSkeleton rows={3} label="Carregando denúncias" />
        </Card>
      )}
      {list.isSuccess && reports.length === 0 && (
        <Card className="p-2">
          <NoRows
            filtered={status !== undefined}
            onClear={() => filter({ status: undefined })}
            title={adminTexts.noOpenReports}
            filteredTitle={adminTexts.noReports}
            icon="check"
          >
            No fim de cada página de cobrança o pagador encontra “Denunciar esta página”. O que ele diz aparece aqui.
          </NoRows>
        </Card>
      )}
      {reports.length > 0 && (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {reports.map((report) => (
            <PageReportCard
              key={report._id}
              report={report}
              busy={decide.isPending}
              onAsk={(to) => setOpened({ report, to })}
            />
          ))}
        </ul>
      )}
      <MoreButton list={list}>Mostrar mais antigas</MoreButton>
      {opened !== null && (
        <DecisionDialog
          {...opened}
          busy={decide.isPending}
          onConfirm={(decision) => decide.mutate({ id: opened.report._id, decision })}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

function useDecide(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, decision }: { id: string; decision: Decision }) => decideReport(id, decision),
    onSuccess: ({ message, data }) => toast.success(message, data.report.checkoutPage.title),
    onError: (error) => toast.error(messageOf(error, adminTexts.reportNotDecided), detailOf(error)),
    onSettled: () => {
      onDone()
      return queryClient.invalidateQueries({ queryKey: ["admin"] })
    },
  })
}

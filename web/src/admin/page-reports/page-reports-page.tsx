import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import type { PageReportView } from "@tilinta/contract/page-reports"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { otherReportStatuses, type PageReportsSearch } from "#admin/search-params.ts"
import { detailOf, failureOf, messageOf } from "#api/api-error.ts"
import { Button } from "#ui/button.tsx"
import { Card, EmptyState, LoadFailure, RowsSkeleton } from "#ui/card.tsx"
import { Select } from "#ui/choice-inputs.tsx"
import { NothingFound } from "#ui/list-screen.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { toast } from "#ui/toast.ts"
import { DecisionDialog } from "./decision-dialog.tsx"
import { PageReportCard } from "./page-report-card.tsx"
import { type Decision, decideReport, pageReportsQuery } from "./page-reports-data.ts"

const route = getRouteApi("/session/admin/page-reports")

export function PageReportsPage() {
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useInfiniteQuery(pageReportsQuery({ status }))
  const [opened, setOpened] = useState<{ report: PageReportView; to: Decision["to"] } | null>(null)
  const decide = useDecide(() => setOpened(null))
  const failure = failureOf(list.error, adminTexts.reportsFailed)
  const reports = list.data?.pages.flatMap((part) => part.reports) ?? []
  const filter = (change: PageReportsSearch) => void navigate({ search: change, replace: true })
  return (
    <>
      <div className="mb-1 flex flex-wrap items-end justify-between gap-x-5 gap-y-3">
        <div>
          <PageTitle title="Denúncias" />
          <p className="mt-1 text-t2">Páginas de cobrança que pagadores denunciaram.</p>
        </div>
        <StatusSelect value={status} onChange={(next) => filter({ status: next })} />
      </div>
      {failure !== null && <LoadFailure {...failure} onRetry={() => void list.refetch()} busy={list.isFetching} />}
      {list.isPending && (
        <Card className="p-2 pt-4">
          <RowsSkeleton rows={3} label="Carregando denúncias" />
        </Card>
      )}
      {list.isSuccess && reports.length === 0 && (
        <Card className="p-2">
          <NoReports isFiltered={status !== undefined} onClear={() => filter({ status: undefined })} />
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
      {list.hasNextPage && (
        <Button
          className="justify-self-center"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Mostrar mais antigas
        </Button>
      )}
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

interface StatusProps {
  value: PageReportsSearch["status"]
  onChange: (status: PageReportsSearch["status"]) => void
}

function StatusSelect({ value, onChange }: StatusProps) {
  return (
    <Select
      aria-label="Status"
      value={value ?? ""}
      onChange={({ target }) => onChange(otherReportStatuses.find((word) => word === target.value))}
      className="basis-52 max-sm:w-full max-sm:basis-full"
    >
      <option value="">A decidir</option>
      <option value="suspended">Páginas suspensas</option>
      <option value="dismissed">Descartadas</option>
      <option value="lifted">Suspensão retirada</option>
      <option value="all">Todas</option>
    </Select>
  )
}

function NoReports({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered) return <NothingFound title={adminTexts.noReports} onClear={onClear} />
  return (
    <EmptyState icon="check" title={adminTexts.noOpenReports}>
      No fim de cada página de cobrança o pagador encontra “Denunciar esta página”. O que ele diz aparece aqui.
    </EmptyState>
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

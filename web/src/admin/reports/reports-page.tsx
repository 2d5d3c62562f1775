import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { detailOf, messageOf } from "#api/api-error.ts"
import { LoadFailure } from "#ui/load-failure.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { Skeleton } from "#ui/skeleton.tsx"
import { adminTexts } from "../admin-texts.ts"
import type { ReportsSearch } from "../search-params.ts"
import { DaysPanel } from "./days-panel.tsx"
import { MethodsPanel } from "./methods-panel.tsx"
import { MonthsPanel } from "./months-panel.tsx"
import { PeriodForm } from "./period-form.tsx"
import { summaryQuery, topUsersQuery } from "./reports-data.ts"
import { TopUsersPanel } from "./top-users-panel.tsx"

const route = getRouteApi("/session/admin/reports")

export function ReportsPage() {
  const asked = route.useSearch()
  const navigate = route.useNavigate()
  const summary = useQuery({ ...summaryQuery(asked), placeholderData: keepPreviousData })
  const topUsers = useQuery({ ...topUsersQuery(asked), placeholderData: keepPreviousData })

  const parts = [summary, topUsers]
  const failed = parts.find((part) => part.isError)
  const isBusy = parts.some((part) => part.isFetching)
  const reload = () => {
    for (const part of parts) void part.refetch()
  }

  function generate(days: ReportsSearch): void {
    const isSame = days.startDate === asked.startDate && days.endDate === asked.endDate
    if (isSame) reload()
    else void navigate({ search: days })
  }

  return (
    <>
      <div className="mb-1 flex items-end justify-between gap-5 max-lg:flex-col max-lg:items-stretch">
        <div>
          <PageTitle title="Relatórios" />
          <p className="mt-1 text-t2">O que foi cobrado e pago na plataforma, dia a dia e mês a mês.</p>
        </div>
        <PeriodForm asked={asked} busy={isBusy} onGenerate={generate} />
      </div>
      {failed !== undefined && (
        <LoadFailure
          message={messageOf(failed.error, adminTexts.reportFailed)}
          detail={detailOf(failed.error)}
          onRetry={reload}
          busy={isBusy}
        />
      )}
      {parts.some((part) => part.isPending) ? (
        <Waiting />
      ) : (
        <div
          aria-busy={isBusy}
          className={`grid grid-cols-[minmax(0,1fr)] gap-4 transition-opacity lg:grid-cols-[minmax(0,1.62fr)_minmax(0,1fr)] ${parts.some((part) => part.isPlaceholderData) ? "opacity-60" : ""}`}
        >
          <DaysPanel report={summary.data} />
          <MethodsPanel report={summary.data} />
          <MonthsPanel report={summary.data} />
          <TopUsersPanel users={topUsers.data} asked={asked} />
        </div>
      )}
    </>
  )
}

function Waiting() {
  return (
    <div role="status" className="after-a-moment grid gap-4 lg:grid-cols-[minmax(0,1.62fr)_minmax(0,1fr)]">
      <p className="text-t2 lg:col-span-2">Carregando relatórios...</p>
      {["days", "methods", "months", "users"].map((panel) => (
        <Skeleton key={panel} className="h-[340px] w-full rounded-xl" />
      ))}
    </div>
  )
}

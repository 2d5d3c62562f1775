import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { Button } from "#ui/button.tsx"
import { QueryFailure, together } from "#ui/card.tsx"
import { Field, TextInput } from "#ui/field.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { adminTexts } from "../admin-texts.ts"
import type { ReportsSearch } from "../search-params.ts"
import { DaysPanel, MethodsPanel, MonthsPanel } from "./report-panels.tsx"
import { summaryQuery, topUsersQuery } from "./reports-data.ts"
import { TopUsersPanel } from "./top-users-panel.tsx"

interface Props {
  criteria: ReportsSearch
  busy: boolean
  onGenerate: (days: ReportsSearch) => void
}

export function PeriodForm({ criteria, busy, onGenerate }: Props) {
  const [days, setDays] = useState(criteria)
  const [outside, setOutside] = useState(criteria)
  if (outside !== criteria) {
    setOutside(criteria)
    setDays(criteria)
  }
  const isBackwards = days.startDate !== undefined && days.endDate !== undefined && days.startDate > days.endDate

  function generate(event: FormEvent): void {
    event.preventDefault()
    if (!isBackwards && !busy) onGenerate(days)
  }

  return (
    <form
      noValidate
      onSubmit={generate}
      aria-label="Período do relatório"
      className="flex flex-none flex-wrap items-start gap-3"
    >
      <DayField
        label="Data inicial"
        value={days.startDate}
        onChange={(startDate) => setDays((old) => ({ ...old, startDate }))}
      />
      <DayField
        label="Data final"
        value={days.endDate}
        error={isBackwards ? "Deve vir depois da inicial." : undefined}
        onChange={(endDate) => setDays((old) => ({ ...old, endDate }))}
      />
      <Button variant="primary" type="submit" disabled={busy} className="mt-[26px] min-w-40 max-sm:mt-0 max-sm:w-full">
        {busy ? "Gerando..." : "Gerar Relatório"}
      </Button>
    </form>
  )
}

interface DayProps {
  label: string
  value: string | undefined
  error?: string | undefined
  onChange: (day: string | undefined) => void
}

function DayField({ label, value, error, onChange }: DayProps) {
  return (
    <Field label={label} error={error} className="min-w-36 max-sm:flex-1">
      {(control) => (
        <TextInput
          {...control}
          type="date"
          min="2000-01-01"
          max="2999-12-31"
          value={value ?? ""}
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
          className="px-3 tabular-nums"
        />
      )}
    </Field>
  )
}

const route = getRouteApi("/session/admin/reports")

export function ReportsPage() {
  const criteria = route.useSearch()
  const navigate = route.useNavigate()
  const summary = useQuery({ ...summaryQuery(criteria), placeholderData: keepPreviousData })
  const topUsers = useQuery({ ...topUsersQuery(criteria), placeholderData: keepPreviousData })

  const parts = [summary, topUsers]
  const all = together(parts)

  function generate(days: ReportsSearch): void {
    const isSame = days.startDate === criteria.startDate && days.endDate === criteria.endDate
    if (isSame) all.refetch()
    else void navigate({ search: days })
  }

  return (
    <>
      <div className="mb-1 flex items-end justify-between gap-5 max-lg:flex-col max-lg:items-stretch">
        <div>
          <PageTitle title="Relatórios" />
          <p className="mt-1 text-t2">O que foi cobrado e pago na plataforma, dia a dia e mês a mês.</p>
        </div>
        <PeriodForm criteria={criteria} busy={all.isFetching} onGenerate={generate} />
      </div>
      <QueryFailure query={all} failed={adminTexts.reportFailed} />
      {parts.some((part) => part.isPending) ? (
        <Waiting />
      ) : (
        <div
          aria-busy={all.isFetching}
          className={`grid grid-cols-[minmax(0,1fr)] gap-4 transition-opacity lg:grid-cols-[minmax(0,1.62fr)_minmax(0,1fr)] ${parts.some((part) => part.isPlaceholderData) ? "opacity-60" : ""}`}
        >
          <DaysPanel report={summary.data} />
          <MethodsPanel report={summary.data} />
          <MonthsPanel report={summary.data} />
          <TopUsersPanel users={topUsers.data} criteria={criteria} />
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

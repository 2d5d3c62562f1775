import type { SystemStatusView } from "@tilinta/contract/api/system-endpoints"
import { type JobByHand, jobLabels, jobsByHand } from "@tilinta/contract/vocabulary/jobs"
import { formatDateTime } from "#format/date.ts"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { failureWords } from "../failure-words.ts"
import { waitingTime } from "../withdrawals/waiting-time.ts"
import { jobHealth, jobsHealth } from "./health.ts"
import { durationText } from "./moment-text.ts"
import { StatusPanel } from "./status-panel.tsx"
import type { SystemActions } from "./use-system-action.ts"

interface Props {
  status: SystemStatusView
  now: Date
  actions: SystemActions
}

type Job = SystemStatusView["jobs"][number]

export function JobsPanel({ status, now, actions }: Props) {
  return (
    <StatusPanel title="Tarefas" health={jobsHealth(status, now)} wide>
      <div className="-mx-3">
        <DataTable
          caption="Tarefas"
          columns={columnsOf(now, actions)}
          rows={illFirst(status.jobs, now)}
          rowKey={({ name }) => name}
        />
      </div>
    </StatusPanel>
  )
}

function illFirst(jobs: readonly Job[], now: Date): Job[] {
  const rank = (job: Job) => ["danger", "warning", "success"].indexOf(jobHealth(job, now).tone)
  return jobs.toSorted((a, b) => rank(a) - rank(b) || jobLabels[a.name].localeCompare(jobLabels[b.name], "pt-BR"))
}

function columnsOf(now: Date, actions: SystemActions): readonly Column<Job>[] {
  return [
    { header: "Tarefa", area: "title", cell: (job) => <JobCell job={job} /> },
    {
      header: "Última vez",
      area: "date",
      cell: (job) => (
        <span className="whitespace-nowrap text-t2 tabular-nums cards:text-meta cards:text-t3">
          {waitingTime(job.lastStartedAt, now)}
        </span>
      ),
    },
    {
      header: "Durou",
      area: "none",
      end: true,
      cell: (job) => <span className="whitespace-nowrap text-t2 tabular-nums">{durationText(job.lastDurationMs)}</span>,
    },
    {
      header: "Situação",
      area: "status",
      cell: (job) => {
        const { tone, says } = jobHealth(job, now)
        return <Badge tone={tone}>{says}</Badge>
      },
    },
    { header: "Ações", area: "actions", end: true, cell: (job) => <RunButton job={job} actions={actions} /> },
  ]
}

function JobCell({ job }: { job: Job }) {
  return (
    <>
      <span className="block font-medium break-words">{jobLabels[job.name]}</span>
      <span className="block text-meta text-t3">{everyText(job.everySeconds)}</span>
      {job.failuresInRow > 0 && job.lastFailedAt !== null && (
        <span className="block text-meta break-words text-t2">
          {formatDateTime(job.lastFailedAt)}: {failureWords(job.lastError ?? "")}
        </span>
      )}
    </>
  )
}

function everyText(seconds: number): string {
  if (seconds === 1) return "a cada segundo"
  return seconds < 60 ? `a cada ${seconds} s` : `a cada ${seconds / 60} min`
}

function RunButton({ job, actions }: { job: Job; actions: SystemActions }) {
  if (!isByHand(job.name)) return null
  const { name } = job
  return (
    <Button
      className="px-3 whitespace-nowrap"
      aria-label={`Executar agora: ${jobLabels[name]}`}
      disabled={actions.isBusy}
      onClick={() => actions.start({ kind: "job", name })}
    >
      Executar agora
    </Button>
  )
}

function isByHand(name: string): name is JobByHand {
  return jobsByHand.some((byHand) => byHand === name)
}

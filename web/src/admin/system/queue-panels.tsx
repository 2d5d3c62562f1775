import type { SystemStatusView } from "@tilinta/contract/system"
import { mailKindLabels } from "@tilinta/contract/vocabulary/mails"
import { type JobByHand, jobLabels, jobsByHand } from "@tilinta/contract/vocabulary/system"
import { failureWords } from "#admin/admin-texts.ts"
import { waitingTime } from "#admin/withdrawals/withdrawal-steps.ts"
import { formatDateTime } from "#format/dates.ts"
import { countOf, formatCount } from "#format/money-text.ts"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import { inboxHealth, jobHealth, jobsHealth, mailsHealth } from "./health.ts"
import { ProblemItem, ProblemList, StatusPanel } from "./status-panel.tsx"
import type { SystemActions } from "./system-data.ts"
import { durationText, momentText } from "./system-texts.ts"

interface Props {
  status: SystemStatusView
  now: Date
  actions: SystemActions
}

export function InboxPanel({ status, now, actions }: Props) {
  const { inbox } = status
  return (
    <StatusPanel title="Avisos do banco" health={inboxHealth(status, now)}>
      <Facts>
        <Fact term="Esperando">{formatCount(inbox.waiting)}</Fact>
        {inbox.waiting > 0 && <Fact term="O mais antigo">{momentText(inbox.oldestAt, now, "")}</Fact>}
      </Facts>
      <ProblemList label="Avisos que falharam">
        {inbox.failing.map((message) => (
          <ProblemItem
            key={message._id}
            title={`Aviso de ${formatDateTime(message.receivedAt)}`}
            note={`${countOf(message.attempts, "tentativa", "tentativas")} · próxima às ${formatDateTime(message.nextAttemptAt).slice(-5)}`}
            error={message.lastError === null ? null : failureWords(message.lastError)}
            busy={actions.isBusy}
            onRetry={() => actions.start({ kind: "message", id: message._id })}
          />
        ))}
      </ProblemList>
    </StatusPanel>
  )
}

interface MailsPanelProps {
  status: SystemStatusView
  now: Date
  actions: SystemActions
}

type Mail = SystemStatusView["mails"]["problems"][number]

export function MailsPanel({ status, now, actions }: MailsPanelProps) {
  const { mails } = status
  return (
    <StatusPanel title="E-mails" health={mailsHealth(status, now)}>
      <Facts>
        <Fact term="Esperando">{formatCount(mails.waiting)}</Fact>
        {mails.waiting > 0 && <Fact term="O mais antigo">{momentText(mails.oldestAt, now, "")}</Fact>}
        <Fact term="Não entregues em 7 dias">{formatCount(mails.givenUp)}</Fact>
      </Facts>
      <ProblemList label="E-mails que falharam">
        {mails.problems.map((mail) => (
          <ProblemItem
            key={mail._id}
            title={`${mail.kind === null ? "E-mail" : mailKindLabels[mail.kind]} para ${mail.to}`}
            note={noteOf(mail)}
            error={mail.lastError === null ? null : failureWords(mail.lastError)}
            busy={actions.isBusy}
            onRetry={mail.repeatable ? () => actions.start({ kind: "mail", id: mail._id }) : undefined}
          />
        ))}
      </ProblemList>
    </StatusPanel>
  )
}

function noteOf({ createdAt, attempts, givenUpAt, repeatable }: Mail): string {
  const parts = [formatDateTime(createdAt), countOf(attempts, "tentativa", "tentativas")]
  if (givenUpAt !== null) parts.push(repeatable ? "desistimos" : "o link não é guardado: peça um novo")
  return parts.join(" · ")
}

interface JobsPanelProps {
  status: SystemStatusView
  now: Date
  actions: SystemActions
}

type Job = SystemStatusView["jobs"][number]

export function JobsPanel({ status, now, actions }: JobsPanelProps) {
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

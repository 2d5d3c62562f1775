import type { SystemStatusView } from "@tilinta/contract/system"
import { mailKindLabels } from "@tilinta/contract/vocabulary/mails"
import { jobLabels, jobsByHand } from "@tilinta/contract/vocabulary/system"
import { type ReactNode, useState } from "react"
import { failureWords } from "#admin/admin-texts.ts"
import { waitingTime } from "#admin/withdrawals/withdrawal-steps.ts"
import { formatDateTime } from "#format/dates.ts"
import { countOf, formatCount } from "#format/money-text.ts"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import type { PartProps, SystemActions } from "./system-data.ts"
import { durationText, momentText } from "./system-texts.ts"

export function InboxFacts({ status, now, actions }: PartProps) {
  const { inbox } = status
  return (
    <>
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
    </>
  )
}

type Mail = SystemStatusView["mails"]["problems"][number]

export function MailsFacts({ status, now, actions }: PartProps) {
  const { mails } = status
  return (
    <>
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
    </>
  )
}

function noteOf({ createdAt, attempts, givenUpAt, repeatable }: Mail): string {
  const parts = [formatDateTime(createdAt), countOf(attempts, "tentativa", "tentativas")]
  if (givenUpAt !== null) parts.push(repeatable ? "desistimos" : "o link não é guardado: peça um novo")
  return parts.join(" · ")
}

type Job = SystemStatusView["jobs"][number]

/** Late jobs; the others, which hardly anybody ever needs, are behind them. */
export function JobsFacts({ status, now, actions }: PartProps) {
  const [showsAll, setShowsAll] = useState(false)
  const late = status.jobs.filter(({ tone }) => tone !== "success")
  const others = status.jobs.filter(({ tone }) => tone === "success")
  return (
    <>
      {late.length > 0 && <JobTable caption="Tarefas atrasadas" jobs={late} now={now} actions={actions} />}
      {showsAll ? (
        <JobTable caption="Tarefas em dia" jobs={others} now={now} actions={actions} />
      ) : (
        <Button className="self-start" onClick={() => setShowsAll(true)}>
          {late.length > 0
            ? `Ver as outras ${formatCount(others.length)}`
            : `Ver as ${countOf(others.length, "tarefa", "tarefas")}`}
        </Button>
      )}
    </>
  )
}

interface JobTableProps {
  caption: string
  jobs: readonly Job[]
  now: Date
  actions: SystemActions
}

function JobTable({ caption, jobs, now, actions }: JobTableProps) {
  const rows = jobs.toSorted((a, b) => jobLabels[a.name].localeCompare(jobLabels[b.name], "pt-BR"))
  return (
    <div className="-mx-3">
      <DataTable caption={caption} columns={columnsOf(now, actions)} rows={rows} rowKey={({ name }) => name} />
    </div>
  )
}

function columnsOf(now: Date, actions: SystemActions): readonly Column<Job>[] {
  return [
    { header: "Tarefa", area: "title", cell: (job) => <JobCell job={job} /> },
    {
      header: "Última vez",
      area: "date",
      cell: ({ lastStartedAt, lastDurationMs }) => (
        <span className="whitespace-nowrap text-t2 tabular-nums cards:text-meta cards:text-t3">
          {waitingTime(lastStartedAt, now)} <span className="text-t3">em {durationText(lastDurationMs)}</span>
        </span>
      ),
    },
    {
      header: "Situação",
      area: "status",
      cell: ({ tone, says }) =>
        tone === "success" ? <span className="text-t3">{says}</span> : <Badge tone={tone}>{says}</Badge>,
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
  if (!jobsByHand.includes(job.name)) return null
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

/** Renders nothing while the list is empty. */
function ProblemList({ label, children }: { label: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <ul
      aria-label={label}
      className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line border-y border-line text-label"
    >
      {children}
    </ul>
  )
}

interface ItemProps {
  title: string
  note: string
  /** The technical error text. */
  error: string | null
  busy: boolean
  /** Undefined where a retry would not help. */
  onRetry?: (() => void) | undefined
}

function ProblemItem({ title, note, error, busy, onRetry }: ItemProps) {
  return (
    <li className="flex items-center justify-between gap-4 py-2.5">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <p className="text-meta break-words text-t3">{note}</p>
        {error !== null && <p className="mt-0.5 font-mono text-[12px] wrap-anywhere text-t2">{error}</p>}
      </div>
      {onRetry !== undefined && (
        <Button className="flex-none px-3" aria-label={`Tentar agora: ${title}`} disabled={busy} onClick={onRetry}>
          Tentar agora
        </Button>
      )}
    </li>
  )
}

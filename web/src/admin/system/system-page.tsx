import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { SystemStatusView } from "@tilinta/contract/system"
import { adminTexts } from "#admin/admin-texts.ts"
import { countOf } from "#format/money-text.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { QueryFailure } from "#ui/card.tsx"
import { Icon } from "#ui/icon.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { BackupPanel } from "./backup-panel.tsx"
import { GuardPanel, ProviderPanel, UnderWayPanel } from "./bank-panels.tsx"
import {
  backupHealth,
  guardHealth,
  type Health,
  inboxHealth,
  installationHealth,
  jobsHealth,
  ledgerHealth,
  mailsHealth,
  providerHealth,
  underWayHealth,
  worstOf,
} from "./health.ts"
import { InstallationPanel, LedgerPanel } from "./ledger-panel.tsx"
import { InboxPanel, JobsPanel, MailsPanel } from "./queue-panels.tsx"
import { systemQuery, useSystemAction } from "./system-data.ts"

export function SystemPage() {
  const known = useQuery(systemQuery)
  const { data, error, isFetching, refetch } = known
  return (
    <>
      <div className="mb-1 flex items-end justify-between gap-5 max-md:flex-col max-md:items-stretch">
        <div>
          <PageTitle title="Sistema" />
          <p className="mt-1 text-t2">O que funciona sozinho, e o que precisa de você.</p>
        </div>
        <div className="flex flex-none flex-wrap gap-3 max-md:*:flex-1">
          <Link to="/admin/daily-closes" className={buttonClass("secondary", "max-md:hidden")}>
            Fechamento diário
          </Link>
          <Button icon="refresh" disabled={isFetching} onClick={() => void refetch()}>
            Atualizar
          </Button>
        </div>
      </div>
      <QueryFailure query={known} failed={adminTexts.systemFailed} />
      {data === undefined && error === null && <Waiting />}
      {data !== undefined && <Panels status={data} />}
    </>
  )
}

const columnClass = "grid grid-cols-[minmax(0,1fr)] gap-4 lg:gap-5"

function Panels({ status }: { status: SystemStatusView }) {
  const actions = useSystemAction()
  // Ages are computed against the server's clock: a device that is wrong by minutes would see trouble everywhere.
  const now = new Date(status.now)
  return (
    <>
      <Summary status={status} now={now} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2 lg:gap-5">
        <div className={columnClass}>
          <LedgerPanel status={status} now={now} actions={actions} />
          <BackupPanel status={status} now={now} actions={actions} />
          <InboxPanel status={status} now={now} actions={actions} />
          <MailsPanel status={status} now={now} actions={actions} />
        </div>
        <div className={columnClass}>
          <ProviderPanel status={status} now={now} />
          <UnderWayPanel status={status} now={now} />
          <InstallationPanel status={status} now={now} />
          <GuardPanel status={status} />
        </div>
        <JobsPanel status={status} now={now} actions={actions} />
      </div>
    </>
  )
}

const allHealths = [
  ledgerHealth,
  backupHealth,
  providerHealth,
  inboxHealth,
  underWayHealth,
  mailsHealth,
  jobsHealth,
  installationHealth,
  guardHealth,
]

const variants = {
  success: { icon: "check", box: "border-mint-line bg-mint-bg", ink: "text-mint" },
  warning: { icon: "alert", box: "border-line-2 bg-amber-bg", ink: "text-amber" },
  danger: { icon: "alert", box: "border-coral-line bg-coral-bg", ink: "text-coral" },
} as const

function Summary({ status, now }: { status: SystemStatusView; now: Date }) {
  const ill = allHealths.map((healthOf) => healthOf(status, now)).filter(({ tone }) => tone !== "success")
  const { tone } = worstOf(ill)
  const { icon, box, ink } = variants[tone]
  return (
    <div role="status" className={`flex items-center gap-3.5 rounded-l border px-5 py-4 ${box}`}>
      <Icon name={icon} className={`size-6 stroke-2 ${ink}`} />
      <p className="min-w-0">
        <b className="block font-[650]">{titleOf(ill)}</b>
        <span className="block text-label break-words text-t2">
          {ill.length === 0
            ? "Banco, filas, e-mails, tarefas e contabilidade."
            : ill.map(({ says }) => says).join(" · ")}
        </span>
      </p>
    </div>
  )
}

function titleOf(ill: readonly Health[]): string {
  return ill.length === 0 ? "Tudo certo" : countOf(ill.length, "ponto pede atenção", "pontos pedem atenção")
}

function Waiting() {
  return (
    <div role="status" className="after-a-moment grid gap-4 lg:gap-5">
      <span className="sr-only">Carregando o estado do sistema</span>
      <Skeleton className="h-[76px] w-full rounded-l" />
      <div className="grid gap-4 lg:grid-cols-2 lg:gap-5">
        <Skeleton className="h-96 w-full rounded-xl" />
        <Skeleton className="h-96 w-full rounded-xl" />
      </div>
    </div>
  )
}

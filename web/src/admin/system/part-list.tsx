import type { SystemStatusView } from "@tilinta/contract/system"
import { type SystemPart, systemPartLabels, systemParts } from "@tilinta/contract/vocabulary/system"
import type { ComponentType, ReactNode } from "react"
import { countOf } from "#format/money-text.ts"
import { Badge } from "#ui/badge.tsx"
import { Card } from "#ui/card.tsx"
import { Icon } from "#ui/icon.tsx"
import { BackupAction, BackupFacts } from "./backup-part.tsx"
import { GuardFacts, ProviderFacts, UnderWayFacts } from "./bank-parts.tsx"
import { InstallationFacts, LedgerAction, LedgerFacts } from "./ledger-part.tsx"
import { InboxFacts, JobsFacts, MailsFacts } from "./queue-parts.tsx"
import type { PartProps } from "./system-data.ts"

const facts: Record<SystemPart, ComponentType<PartProps>> = {
  ledger: LedgerFacts,
  backup: BackupFacts,
  provider: ProviderFacts,
  underWay: UnderWayFacts,
  inbox: InboxFacts,
  mails: MailsFacts,
  jobs: JobsFacts,
  installation: InstallationFacts,
  guard: GuardFacts,
}

const actionOf: Partial<Record<SystemPart, ComponentType<PartProps>>> = { ledger: LedgerAction, backup: BackupAction }

type Finding = SystemStatusView["findings"][number]

interface Part {
  part: SystemPart
  /** The worst first. */
  ill: readonly Finding[]
  says: string
}

function partsOf(findings: readonly Finding[]): Part[] {
  return systemParts.map((part) => {
    const own = findings.filter((finding) => finding.part === part)
    const of = (tone: Finding["tone"]) => own.filter((finding) => finding.tone === tone)
    return { part, ill: [...of("danger"), ...of("warning")], says: own[0]?.says ?? "" }
  })
}

/** Parts that need a person come first; each that works by itself is a line. */
export function PartList(props: PartProps) {
  const { findings } = props.status
  const parts = partsOf(findings)
  const isBad = ({ ill }: Part) => ill[0]?.tone === "danger"
  const ill = parts.filter((part) => part.ill.length > 0)
  return (
    <>
      <Summary count={findings.filter(({ tone }) => tone !== "success").length} isBad={ill.some(isBad)} />
      {ill.length > 0 && (
        <PartCard title="Precisa de você">
          {[...ill.filter(isBad), ...ill.filter((part) => !isBad(part))].map((part) => (
            <IllPart key={part.part} of={part} {...props} />
          ))}
        </PartCard>
      )}
      <PartCard title="Funciona sozinho">
        {parts
          .filter((part) => part.ill.length === 0)
          .map((part) => (
            <WellPart key={part.part} of={part} {...props} />
          ))}
      </PartCard>
    </>
  )
}

function Summary({ count, isBad }: { count: number; isBad: boolean }) {
  const ink = count === 0 ? "text-mint" : isBad ? "text-coral" : "text-amber"
  return (
    <p role="status" className="flex items-center gap-2.5 font-[650]">
      <Icon name={count === 0 ? "check" : "alert"} className={`size-5 flex-none stroke-2 ${ink}`} />
      {count === 0 ? "Tudo certo: nada precisa de você" : countOf(count, "ponto pede atenção", "pontos pedem atenção")}
    </p>
  )
}

function PartCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="overflow-hidden pt-4" aria-label={title}>
      <h2 className="px-5 pb-3 text-section font-[650] md:px-6">{title}</h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line border-t border-line">{children}</ul>
    </Card>
  )
}

interface RowProps extends PartProps {
  of: Part
}

const words = { success: "Tudo certo", warning: "Atenção", danger: "Problema" } as const

function IllPart({ of: { part, ill }, ...props }: RowProps) {
  const Action = actionOf[part]
  const tone = ill[0]?.tone ?? "warning"
  return (
    <li className="pt-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 pb-2 md:px-6">
        <div className="grid min-w-0 flex-1 basis-72 gap-1.5">
          <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-label font-semibold text-t2">
            {systemPartLabels[part]}
            <Badge tone={tone}>{words[tone]}</Badge>
          </h3>
          {ill.map(({ says, advice }) => (
            <p key={says} className="text-label break-words text-t2">
              <b className="block text-body font-semibold text-t1">{says}</b>
              {advice}
            </p>
          ))}
        </div>
        {Action !== undefined && <Action {...props} />}
      </div>
      <Details part={part} isOpen={namesProblems(part, props.status)} {...props}>
        <span className="text-label font-semibold text-t2">
          Detalhes<span className="sr-only"> de {systemPartLabels[part]}</span>
        </span>
      </Details>
    </li>
  )
}

function WellPart({ of: { part, says }, ...props }: RowProps) {
  const Action = actionOf[part]
  return (
    <li>
      <Details part={part} action={Action !== undefined && <Action {...props} />} {...props}>
        <Icon name="check" className="size-[18px] flex-none stroke-2 text-mint" />
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-4">
          <span className="font-semibold md:w-52">{systemPartLabels[part]}</span>
          <span className="min-w-0 text-label break-words text-t2">{says}</span>
        </span>
      </Details>
    </li>
  )
}

/** True where the details name each thing that went wrong, next to a button. */
function namesProblems(part: SystemPart, { ledgerCheck }: SystemStatusView): boolean {
  if (part === "ledger") return (ledgerCheck.result?.differences.length ?? 0) > 0
  return part === "inbox" || part === "mails" || part === "jobs"
}

interface DetailsProps extends PartProps {
  part: SystemPart
  isOpen?: boolean
  action?: ReactNode
  children: ReactNode
}

function Details({ part, isOpen = false, action, children, ...props }: DetailsProps) {
  const Content = facts[part]
  return (
    <details open={isOpen} className="group">
      <summary className="flex min-h-13 items-center gap-3 px-5 py-2 outline-offset-[-2px] hover:bg-s2 md:px-6 [&::-webkit-details-marker]:hidden">
        {children}
        <Icon
          name="chevronDown"
          className="ml-auto size-4 flex-none text-t3 transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 pt-1 pb-5 md:px-6">
        <Content {...props} />
        {action !== undefined && action !== false && <div>{action}</div>}
      </div>
    </details>
  )
}

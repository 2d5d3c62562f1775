import { Link } from "@tanstack/react-router"
import type { SystemStatusView } from "@tilinta/contract/system"
import { failureWords } from "#admin/admin-texts.ts"
import { waitingTime } from "#admin/withdrawals/withdrawal-steps.ts"
import { formatCount } from "#format/money-text.ts"
import { Reais } from "#ui/amounts.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import type { PartProps } from "./system-data.ts"
import { callWords, dayText, momentText } from "./system-texts.ts"

export function ProviderFacts({ status, now }: PartProps) {
  const { provider, jobs } = status
  const lastRun = (name: string) => {
    const job = jobs.find((each) => each.name === name)
    return momentText(job?.lastSucceededAt ?? null, now, "ainda não")
  }
  return (
    <>
      <Facts>
        <Fact term="Provedor">{provider.label}</Fact>
        <Fact term="Última resposta">{momentText(provider.lastContactAt, now, "ainda nenhuma")}</Fact>
        <Fact term="Último webhook recebido">{momentText(provider.lastWebhookAt, now, "ainda nenhum")}</Fact>
        <Fact term="Webhook registrado">{momentText(provider.webhookRegisteredAt, now, "ainda não")}</Fact>
        <Fact term="Recebimentos vistos até">{momentText(provider.receiptsSeenUntil, now, "ainda nenhum")}</Fact>
        <Fact term="Recebimentos conciliados">{lastRun("reconcile-receipts")}</Fact>
        <Fact term="Estornos conciliados">{lastRun("reconcile-refunds")}</Fact>
        <Fact term="Saques conciliados">{lastRun("reconcile-payouts")}</Fact>
        <Fact term="Certificado">
          {provider.certificateEndsAt === null ? "não usa" : `vence em ${dayText(provider.certificateEndsAt)}`}
        </Fact>
        <Fact term="Última falha">{momentText(provider.lastFailure?.at ?? null, now, "nenhuma")}</Fact>
      </Facts>
      {provider.lastFailure !== null && (
        <p className="-mt-2 text-meta break-words text-t3">
          {callWords(provider.lastFailure.call)}: {failureWords(provider.lastFailure.message)}
        </p>
      )}
    </>
  )
}

export function GuardFacts({ status }: PartProps) {
  const { protection, approvers, secondApprovalAbove } = status.guard
  return (
    <Facts>
      <Fact term="Proteção">{protection === "strict" ? "Estrita" : "Relaxada"}</Fact>
      <Fact term="Administradores que podem aprovar">{approvers}</Fact>
      {protection === "strict" && (
        <Fact term="Dois administradores acima de">
          {secondApprovalAbove === null ? "desligado" : <Reais>{secondApprovalAbove}</Reais>}
        </Fact>
      )}
    </Facts>
  )
}

export function UnderWayFacts({ status, now }: PartProps) {
  const shown = ({ count, oldestAt }: SystemStatusView["payouts"]) =>
    oldestAt === null ? formatCount(count) : `${formatCount(count)} · o mais antigo ${waitingTime(oldestAt, now)}`
  return (
    <>
      <Facts>
        <Fact term="Saques enviados">{shown(status.payouts)}</Fact>
        <Fact term="Estornos pedidos">{shown(status.refunds)}</Fact>
        <Fact term="Cobranças a remover">{shown(status.removals)}</Fact>
      </Facts>
      <Link
        to="/admin/withdrawals"
        search={{ status: "processing" }}
        className="-mb-2 inline-flex min-h-11 items-center self-start text-label font-semibold text-t2 hover:text-mint"
      >
        Ver saques em processamento
      </Link>
    </>
  )
}

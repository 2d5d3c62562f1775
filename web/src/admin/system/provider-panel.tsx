import type { SystemStatusView } from "@tilinta/contract/api/system-endpoints"
import { Fact, Facts } from "#ui/facts.tsx"
import { failureWords } from "../failure-words.ts"
import { callWords } from "./call-words.ts"
import { dayText } from "./day-text.ts"
import { providerHealth } from "./health.ts"
import { momentText } from "./moment-text.ts"
import { StatusPanel } from "./status-panel.tsx"

export function ProviderPanel({ status, now }: { status: SystemStatusView; now: Date }) {
  const { provider, jobs } = status
  const lastRun = (name: string) => {
    const job = jobs.find((each) => each.name === name)
    return momentText(job?.lastSucceededAt ?? null, now, "ainda não")
  }
  return (
    <StatusPanel title="Conexão com o banco" health={providerHealth(status, now)}>
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
    </StatusPanel>
  )
}

import type { SystemStatusView } from "@tilinta/contract/api/system-endpoints"
import { formatDateTime } from "#format/date.ts"
import { Fact, Facts } from "#ui/facts.tsx"
import { installationHealth, skewText } from "./health.ts"
import { sizeText } from "./size-text.ts"
import { StatusPanel } from "./status-panel.tsx"

export function InstallationPanel({ status }: { status: SystemStatusView }) {
  const { version, nodes, databaseBytes, migration } = status.installation
  return (
    <StatusPanel title="Instalação" health={installationHealth(status)}>
      <Facts>
        <Fact term="Versão">{version}</Fact>
        {nodes.map(({ _id, host, startedAt, clockSkewSeconds, ...node }) => (
          <Fact key={_id} term={`${host} · versão ${node.version}`}>
            desde {formatDateTime(startedAt)}
            {clockSkewSeconds !== null && Math.abs(clockSkewSeconds) > 2 && `, relógio ${skewText(clockSkewSeconds)}`}
          </Fact>
        ))}
        <Fact term="Banco de dados">{sizeText(databaseBytes)}</Fact>
        <Fact term="Última migração">{migration.padStart(4, "0")}</Fact>
      </Facts>
    </StatusPanel>
  )
}

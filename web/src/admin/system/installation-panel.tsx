import type { SystemStatusView } from "@tilinta/contract/api/system-endpoints"
import { formatDateTime } from "#format/date.ts"
import { Fact, Facts } from "#ui/facts.tsx"
import { dayText } from "./day-text.ts"
import { installationHealth, skewText, waitingSeconds } from "./health.ts"
import { sizeText } from "./size-text.ts"
import { StatusPanel } from "./status-panel.tsx"

export function InstallationPanel({ status, now }: { status: SystemStatusView; now: Date }) {
  const { version, nodes, databaseBytes, migration, databaseVersion, ...rest } = status.installation
  return (
    <StatusPanel title="Instalação" health={installationHealth(status, now)}>
      <Facts>
        <Fact term="Versão">{version}</Fact>
        {nodes.map(({ _id, host, startedAt, clockSkewSeconds, ...node }) => (
          <Fact key={_id} term={`${host} · versão ${node.version}`}>
            desde {formatDateTime(startedAt)}
            {clockSkewSeconds !== null && Math.abs(clockSkewSeconds) > 2 && `, relógio ${skewText(clockSkewSeconds)}`}
          </Fact>
        ))}
        <Fact term="Banco de dados">
          PostgreSQL {databaseVersion.split(" ")[0]}, {sizeText(databaseBytes)}
        </Fact>
        <Fact term="Última migração">{migration.padStart(4, "0")}</Fact>
        {rest.replicas.length === 0 && <Fact term="Réplicas">nenhuma</Fact>}
        {rest.replicas.map((replica) => (
          <Fact key={replica.name} term={`Réplica ${replica.name}`}>
            {replicaText(replica)}
          </Fact>
        ))}
        {rest.disk !== null && (
          <Fact term="Disco do servidor">
            {sizeText(rest.disk.freeBytes)} livres de {sizeText(rest.disk.totalBytes)}
          </Fact>
        )}
        {rest.certificateEndsAt !== null && (
          <Fact term="Certificado do site">vence em {dayText(rest.certificateEndsAt)}</Fact>
        )}
      </Facts>
    </StatusPanel>
  )
}

type Replica = SystemStatusView["installation"]["replicas"][number]

/** A login without the role pg_monitor sees only that it is connected. */
function replicaText({ state, synchronous, behindBytes, lagSeconds }: Replica): string {
  if (state === null) return "conectada"
  const kind = synchronous ? "síncrona" : "assíncrona"
  const lag = lagSeconds === null ? "" : `, ${waitingSeconds(lagSeconds)}`
  return `${kind}, ${behindBytes === null ? "" : `${sizeText(behindBytes)} atrás`}${lag}`
}

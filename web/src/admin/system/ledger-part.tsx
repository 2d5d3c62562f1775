import type { SystemStatusView } from "@tilinta/contract/system"
import { failureWords } from "#admin/admin-texts.ts"
import { formatDateTime } from "#format/dates.ts"
import { countOf } from "#format/money-text.ts"
import { Button } from "#ui/button.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import type { PartProps } from "./system-data.ts"
import { dayText, durationText, momentText, sizeText } from "./system-texts.ts"

export function LedgerAction({ status, actions }: PartProps) {
  const { isRunning } = status.ledgerCheck
  return (
    <Button icon="refresh" disabled={isRunning || actions.isBusy} onClick={() => actions.start({ kind: "check" })}>
      {isRunning ? "Verificando..." : "Verificar agora"}
    </Button>
  )
}

export function LedgerFacts({ status, now }: PartProps) {
  const { isRunning, startedAt, requestedBy, failure, result } = status.ledgerCheck
  return (
    <>
      {result !== null && result.differences.length > 0 && <Differences differences={result.differences} />}
      <Facts>
        <Fact term="Última verificação">{momentText(result?.finishedAt ?? null, now, "ainda nenhuma")}</Fact>
        {result !== null && (
          <>
            <Fact term="Lançamentos conferidos">{countOf(result.postings, "lançamento", "lançamentos")}</Fact>
            <Fact term="Duração">{durationText(Date.parse(result.finishedAt) - Date.parse(result.startedAt))}</Fact>
          </>
        )}
        {startedAt !== null && <Fact term="Pedida por">{requestedBy ?? "Plataforma, à noite"}</Fact>}
        {failure !== null && <Fact term="Por que não terminou">{failureWords(failure)}</Fact>}
      </Facts>
      <p className="text-meta text-t3">
        Todos os saldos e totais são recalculados a partir dos lançamentos, toda noite entre 3h e 5h.
      </p>
      <p role="status" className="sr-only">
        {isRunning ? "Verificando a contabilidade" : ""}
      </p>
    </>
  )
}

const shownDifferences = 20

function Differences({ differences }: { differences: { what: string; expected: string; found: string }[] }) {
  const rest = differences.length - shownDifferences
  return (
    <ul
      aria-label="Diferenças"
      className="grid grid-cols-[minmax(0,1fr)] divide-y divide-coral-line rounded-m border border-coral-line text-label"
    >
      {differences.slice(0, shownDifferences).map(({ what, expected, found }) => (
        <li key={`${what} ${expected}`} className="px-4 py-2.5">
          <span className="block font-semibold wrap-anywhere">{what}</span>
          <span className="block break-words text-t2 tabular-nums">
            esperado {expected}, encontrado {found}
          </span>
        </li>
      ))}
      {rest > 0 && <li className="px-4 py-2.5 text-t2">e mais {rest}</li>}
    </ul>
  )
}

export function InstallationFacts({ status }: PartProps) {
  const { version, nodes, databaseBytes, migration, databaseVersion, ...rest } = status.installation
  return (
    <Facts>
      <Fact term="Versão">{version}</Fact>
      {nodes.map(({ _id, host, startedAt, clockSkewSeconds, ...node }) => (
        <Fact key={_id} term={`${host} · versão ${node.version}`}>
          desde {formatDateTime(startedAt)}
          {clockSkewSeconds !== null && Math.abs(clockSkewSeconds) > 2 && `, relógio a ${clockSkewSeconds} s do banco`}
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
  )
}

type Replica = SystemStatusView["installation"]["replicas"][number]

/** A login without the role pg_monitor sees only that it is connected. */
function replicaText({ state, synchronous, behindBytes, lagSeconds }: Replica): string {
  if (state === null) return "conectada"
  const kind = synchronous ? "síncrona" : "assíncrona"
  const lag = lagSeconds === null ? "" : `, ${durationText(lagSeconds * 1_000)}`
  return `${kind}, ${behindBytes === null ? "" : `${sizeText(behindBytes)} atrás`}${lag}`
}

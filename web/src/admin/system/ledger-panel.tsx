import type { SystemStatusView } from "@tilinta/contract/api/system-endpoints"
import { countOf } from "#format/count.ts"
import { Button } from "#ui/button.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import { failureWords } from "../failure-words.ts"
import { ledgerHealth } from "./health.ts"
import { durationText, momentText } from "./moment-text.ts"
import { StatusPanel } from "./status-panel.tsx"
import type { SystemActions } from "./use-system-action.ts"

interface Props {
  status: SystemStatusView
  now: Date
  actions: SystemActions
}

export function LedgerPanel({ status, now, actions }: Props) {
  const { isRunning, startedAt, requestedBy, failure, result } = status.ledgerCheck
  return (
    <StatusPanel
      title="Contabilidade"
      health={ledgerHealth(status, now)}
      action={
        <Button icon="refresh" disabled={isRunning || actions.isBusy} onClick={() => actions.start({ kind: "check" })}>
          {isRunning ? "Verificando..." : "Verificar agora"}
        </Button>
      }
    >
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
    </StatusPanel>
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

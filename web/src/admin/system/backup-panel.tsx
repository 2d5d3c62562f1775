import type { SystemStatusView } from "@tilinta/contract/system"
import { failureWords } from "#admin/admin-texts.ts"
import { countOf } from "#format/money-text.ts"
import { Button } from "#ui/button.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import { backupHealth } from "./health.ts"
import { StatusPanel } from "./status-panel.tsx"
import type { SystemActions } from "./system-data.ts"
import { durationText, momentText, sizeText } from "./system-texts.ts"

interface Props {
  status: SystemStatusView
  now: Date
  actions: SystemActions
}

export function BackupPanel({ status, now, actions }: Props) {
  const { isOn, isRunning, restoreCheck } = status.backup
  return (
    <StatusPanel
      title="Backup"
      health={backupHealth(status, now)}
      action={
        isOn && (
          <Button
            icon="download"
            disabled={isRunning || actions.isBusy}
            onClick={() => actions.start({ kind: "backup" })}
          >
            {isRunning ? "Fazendo o backup..." : "Fazer agora"}
          </Button>
        )
      }
    >
      {(isOn || restoreCheck !== null) && (
        <Facts>
          {isOn && <FileFacts backup={status.backup} now={now} />}
          <RestoreFacts check={restoreCheck} now={now} />
        </Facts>
      )}
      <p className="text-meta text-t3">
        {isOn
          ? "Todo dia a partir das 2h. Ficam os de 7 dias, 4 semanas e 12 meses."
          : "Defina BACKUP_DIR para que o servidor faça um por dia, ou cuide dos backups do seu banco de dados."}
      </p>
      <p role="status" className="sr-only">
        {isRunning ? "Fazendo o backup" : ""}
      </p>
    </StatusPanel>
  )
}

type Backup = SystemStatusView["backup"]

function FileFacts({ backup, now }: { backup: Backup; now: Date }) {
  const { isEncrypted, startedAt, requestedBy, failure, result } = backup
  return (
    <>
      <Fact term="Último backup">{momentText(result?.startedAt ?? null, now, "ainda nenhum")}</Fact>
      {result !== null && (
        <>
          <Fact term="Arquivo">{result.file}</Fact>
          <Fact term="Tamanho">{sizeText(result.bytes)}</Fact>
          <Fact term="Duração">{durationText(Date.parse(result.finishedAt) - Date.parse(result.startedAt))}</Fact>
        </>
      )}
      <Fact term="Cifrado">{isEncrypted ? "Sim" : "Não: BACKUP_KEY não está definida"}</Fact>
      {startedAt !== null && <Fact term="Pedido por">{requestedBy ?? "Plataforma, todo dia"}</Fact>}
      {failure !== null && <Fact term="Por que falhou">{failureWords(failure)}</Fact>}
    </>
  )
}

function RestoreFacts({ check, now }: { check: Backup["restoreCheck"]; now: Date }) {
  return (
    <>
      <Fact term="Restauração experimentada">{momentText(check?.finishedAt ?? null, now, "ainda nenhuma")}</Fact>
      {check !== null && (
        <>
          <Fact term="Resultado">{resultWords(check)}</Fact>
          <Fact term="Arquivo experimentado">{check.file}</Fact>
          <Fact term="Experimentado por">{check.checkedBy}</Fact>
        </>
      )}
    </>
  )
}

function resultWords({ failure, differenceCount, seconds }: NonNullable<Backup["restoreCheck"]>): string {
  if (failure !== null) return failure
  if (differenceCount !== 0) return countOf(differenceCount ?? 0, "diferença", "diferenças")
  return `Tudo confere, em ${durationText(seconds * 1000)}`
}

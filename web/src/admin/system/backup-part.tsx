import type { SystemStatusView } from "@tilinta/contract/system"
import { failureWords } from "#admin/admin-texts.ts"
import { countOf } from "#format/money-text.ts"
import { Button } from "#ui/button.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import type { PartProps } from "./system-data.ts"
import { durationText, momentText, sizeText } from "./system-texts.ts"

export function BackupAction({ status, actions }: PartProps) {
  const { isOn, isRunning } = status.backup
  if (!isOn) return null
  return (
    <Button icon="download" disabled={isRunning || actions.isBusy} onClick={() => actions.start({ kind: "backup" })}>
      {isRunning ? "Fazendo o backup..." : "Fazer agora"}
    </Button>
  )
}

export function BackupFacts({ status, now }: PartProps) {
  const { isOn, isElsewhere, isRunning, restoreCheck } = status.backup
  return (
    <>
      {(isOn || restoreCheck !== null) && (
        <Facts>
          {isOn && <FileFacts backup={status.backup} now={now} />}
          <RestoreFacts check={restoreCheck} now={now} />
        </Facts>
      )}
      {isOn && <p className="text-meta text-t3">Todo dia a partir das 2h. Ficam os de 7 dias, 4 semanas e 12 meses.</p>}
      {isElsewhere && <p className="text-meta text-t3">BACKUP_ELSEWHERE diz que outro programa os faz.</p>}
      <p role="status" className="sr-only">
        {isRunning ? "Fazendo o backup" : ""}
      </p>
    </>
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

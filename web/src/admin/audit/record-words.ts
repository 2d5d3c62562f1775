import type { AuditRecordView } from "@tilinta/contract/api/audit-records-endpoints"
import { type AuditEntity, auditEntityLabels } from "@tilinta/contract/vocabulary/audit"
import { type JobName, jobLabels } from "@tilinta/contract/vocabulary/jobs"
import { dayLabel } from "../daily-closes/close-words.ts"

export function isPartOfSystem(entity: AuditEntity): boolean {
  return entity === "job" || entity === "inbox_message" || entity === "mail" || entity === "ledger_check"
}

export function actorName({ actor }: AuditRecordView): string {
  return actor?.name ?? "Plataforma"
}

/** The subject of the action in one line: an amount and its owner, a key, or a payment's id. */
export function aboutText(
  { entity, entityId, about, changes }: AuditRecordView,
  reais: (amount: number) => string,
): string {
  if (entity === "setting") return entityId
  if (entity === "demo") return "Dados inventados"
  if (entity === "job") return jobLabels[entityId as JobName] ?? entityId
  if (isPartOfSystem(entity)) return "Sistema"
  if (entity === "session") return about.user?.name ?? "Várias contas"
  if (entity === "endpoint") return entityId
  if (entity === "list") return "Dados pessoais"
  if (entity === "daily_close") return closedDay(changes)
  const parts = [
    about.amount === null ? null : reais(about.amount),
    about.user?.name ?? null,
    about.amount === null && about.user === null ? about.endToEndId : null,
  ].filter((part) => part !== null)
  if (parts.length > 0) return parts.join(" · ")
  return entity === "export" ? "Arquivo CSV" : auditEntityLabels[entity]
}

function closedDay(changes: AuditRecordView["changes"]): string {
  const change = changes.find(({ field }) => field === "day")
  const day = change?.after ?? change?.before
  return typeof day === "string" ? `Dia ${dayLabel(day)}` : "Fechamento diário"
}

import type { AuditRecordView } from "@tilinta/contract/api/audit-records-endpoints"

export function actorName({ actor }: AuditRecordView): string {
  return actor?.name ?? "Plataforma"
}

/** What the action was about, in one line: an amount and whose, a key, a payment's id. */
export function aboutText({ entity, entityId, about }: AuditRecordView, reais: (amount: number) => string): string {
  if (entity === "setting") return entityId
  if (entity === "demo") return "Dados inventados"
  const parts = [
    about.amount === null ? null : reais(about.amount),
    about.user?.name ?? null,
    about.amount === null && about.user === null ? about.endToEndId : null,
  ].filter((part) => part !== null)
  return parts.length === 0 ? "Arquivo CSV" : parts.join(" · ")
}

import { auditActionLabels, auditEntityLabels, auditFieldLabels } from "@tilinta/contract/vocabulary/audit"
import { type RawBuilder, sql } from "kysely"
import { labelCell, momentCell, textCell } from "#db/csv-cells"
import { type AuditFilter, auditConditions, peopleOfRecords } from "./audit-lists-repository.ts"

const fieldLabels = { ...auditFieldLabels, amountCents: "Valor", feeCents: "Taxa" }

/** Names of the changed fields without their values: a file travels further than a screen. */
const changedFields = sql`(
  select string_agg(${labelCell(sql.ref("field"), fieldLabels)}, ', ' order by field)
  from jsonb_object_keys(coalesce(record.before, '{}') || coalesce(record.after, '{}')) field
  where record.before -> field is distinct from record.after -> field
)`

export function auditRecordsForAdmin(filter: AuditFilter): RawBuilder<unknown> {
  return sql`
    select
      ${momentCell("record.happened_at")} as "Data",
      ${labelCell(sql.ref("record.action"), auditActionLabels)} as "Ação",
      ${textCell("actor.name")} as "Quem",
      ${textCell("actor.email")} as "E-mail de quem fez",
      ${textCell("record.actor_address")} as "Endereço IP",
      ${textCell("actor_key.name")} as "Chave de API",
      ${labelCell(sql.ref("record.entity"), auditEntityLabels)} as "Sobre",
      ${textCell("record.entity_id")} as "Identificador",
      ${textCell("owner.name")} as "Usuário",
      ${changedFields} as "Campos alterados",
      record.id as "ID do registro",
      ${textCell("record.actor_device")} as "Aparelho",
      ${textCell("record.request_id")} as "ID da requisição"
    from audit_records record
    ${peopleOfRecords}
    where ${auditConditions(filter)}
    order by record.happened_at desc, record.id desc`
}

import {
  type AuditRecordView,
  exportAuditRecordsEndpoint,
  listAuditRecordsEndpoint,
} from "@tilinta/contract/api/audit-records-endpoints"
import type { AuditAction, AuditSubject } from "@tilinta/contract/vocabulary/audit"
import type { FastifyInstance } from "fastify"
import type { ReportsDb } from "#db/transaction"
import { exportAuditRecords } from "#domain/platform/audit/export-audit-records"
import { type AuditRecord, listAuditRecords } from "#domain/platform/audit/list-audit-records"
import type { ExportDeps } from "#domain/platform/audit/start-export"
import { type ListFilters, searchAndDays } from "#http/list-filters"
import { serveEndpoint } from "#http/serve-endpoint"
import { type Cents, reaisFromCents } from "#kit/money"
import { saoPauloDay } from "#kit/sao-paulo-day"
import { adminOf } from "./require-admin.ts"

export function auditRecordRoutes(app: FastifyInstance, deps: ExportDeps & { db: ReportsDb }): void {
  serveEndpoint(app, listAuditRecordsEndpoint, async ({ query }) => {
    const { records, next } = await listAuditRecords(deps.db, filterOf(query), query)
    return { records: records.map(toAuditRecordView), next }
  })

  serveEndpoint(app, exportAuditRecordsEndpoint, async ({ query, request }) => {
    const content = await exportAuditRecords(deps, filterOf(query), adminOf(request))
    return { name: `auditoria_${saoPauloDay(deps.clock.now())}.csv`, content }
  })
}

interface Asked extends ListFilters {
  action?: AuditAction | undefined
  entity?: AuditSubject | undefined
  entityId?: string | undefined
}

function filterOf({ action, entity, entityId, ...rest }: Asked) {
  return { action, entity, entityId, ...searchAndDays(rest) }
}

function toAuditRecordView(record: AuditRecord): AuditRecordView {
  const { actor_id, actor_name, actor_email, owner_id, owner_name, after } = record
  const amountCents = after?.["amountCents"]
  const endToEndId = after?.["endToEndId"]
  return {
    _id: record.id,
    happenedAt: record.happened_at.toISOString(),
    action: record.action,
    actor: actor_id === null ? null : { _id: actor_id, name: actor_name ?? "", email: actor_email ?? "" },
    actorAddress: record.actor_address,
    entity: record.entity,
    entityId: record.entity_id,
    about: {
      user: owner_id === null ? null : { _id: owner_id, name: owner_name ?? "" },
      amount: typeof amountCents === "number" ? reaisFromCents(amountCents as Cents) : null,
      transactionId: record.charge_id,
      endToEndId: typeof endToEndId === "string" ? endToEndId : null,
    },
    changes: record.changes,
  }
}

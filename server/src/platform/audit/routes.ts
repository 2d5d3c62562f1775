import {
  type AuditRecordView,
  exportAuditRecordsEndpoint,
  listAuditRecordsEndpoint,
} from "@tilinta/contract/audit-records"
import type { AuditAction, AuditSubject } from "@tilinta/contract/vocabulary/audit"
import { type Cents, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { ReportsDb } from "#db/transaction"
import { type ListFilters, searchAndDays } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import { saoPauloDay } from "#kit/clock"
import { adminOf } from "#people/sessions/caller"
import type { Psp } from "#psp/psp"
import type { AccessNotes } from "./access-notes.ts"
import { type ExportDeps, exportAuditRecords } from "./export.ts"
import { type AuditRecord, listAuditRecords } from "./reads.ts"

export function auditRecordRoutes(
  app: FastifyInstance,
  deps: ExportDeps & { db: ReportsDb; psp: Pick<Psp, "name" | "label"> },
): void {
  serveEndpoint(app, listAuditRecordsEndpoint, async ({ query }) => {
    const { records, next } = await listAuditRecords(deps.db, filterOf(query), query)
    return { records: records.map((record) => toAuditRecordView(record, deps.psp)), next }
  })

  serveEndpoint(app, exportAuditRecordsEndpoint, async ({ query, request }) => {
    const { format } = query
    const content = await exportAuditRecords(deps, filterOf(query), { format, actor: adminOf(request) })
    return { name: `auditoria_${saoPauloDay(deps.clock.now())}.${format}`, content }
  })
}

interface AuditQuery extends ListFilters {
  action?: AuditAction | undefined
  entity?: AuditSubject | undefined
  entityId?: string | undefined
}

function filterOf({ action, entity, entityId, ...rest }: AuditQuery) {
  return { action, entity, entityId, ...searchAndDays(rest) }
}

function toAuditRecordView(record: AuditRecord, psp: Pick<Psp, "name" | "label">): AuditRecordView {
  const { actor_id, actor_name, actor_email, owner_id, owner_name, after } = record
  const amountCents = after?.["amountCents"]
  const endToEndId = after?.["endToEndId"]
  return {
    _id: record.id,
    happenedAt: record.happened_at.toISOString(),
    action: record.action,
    actor: actor_id === null ? null : { _id: actor_id, name: actor_name ?? "", email: actor_email ?? "" },
    actorAddress: record.actor_address,
    apiKey: record.actor_key_id === null ? null : { _id: record.actor_key_id, name: record.actor_key_name ?? "" },
    actorDevice: record.actor_device,
    requestId: record.request_id,
    entity: record.entity,
    entityId: record.entity_id,
    about: {
      user: owner_id === null ? null : { _id: owner_id, name: owner_name ?? "" },
      amount: typeof amountCents === "number" ? reaisFromCents(amountCents as Cents) : null,
      transactionId: record.charge_id,
      endToEndId: typeof endToEndId === "string" ? endToEndId : null,
    },
    changes: record.changes.map((change) => withProviderLabel(change, psp)),
  }
}

type Change = AuditRecord["changes"][number]

/** People know the bank by its label; only the present one's is known here. */
function withProviderLabel({ field, before, after }: Change, { name, label }: Pick<Psp, "name" | "label">): Change {
  const shown = (value: Change["after"]) => (field === "provider" && value === name ? label : value)
  return { field, before: shown(before), after: shown(after) }
}

/** The lists that show personal data of many people; the palette's search notes itself. */
const listActions = {
  users: "users.listed",
  withdrawals: "withdrawals.listed",
  transactions: "charges.listed",
  invoices: "invoices.listed",
  unmatched_payments: "unmatched_payments.listed",
  disputes: "disputes.listed",
} as const

interface Listed {
  list: keyof typeof listActions
  /** The filters and the page, as asked for. */
  query: Record<string, unknown>
  results: number
}

/** Readers of personal data in bulk stand in the audit, with what they looked for. */
export function noteList(accessNotes: AccessNotes, request: FastifyRequest, { list, query, results }: Listed): void {
  accessNotes.note({
    actor: adminOf(request),
    action: listActions[list],
    entity: "list",
    entityId: list,
    facts: { ...query, results },
  })
}

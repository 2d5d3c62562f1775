import type { Readable } from "node:stream"
import { type ExportDeps, startExport } from "#domain/exports/start-export"
import type { Actor } from "./audit-entry.ts"
import { auditRecordsForAdmin } from "./audit-exports-repository.ts"
import type { AuditFilter } from "./audit-lists-repository.ts"

export function exportAuditRecords(deps: ExportDeps, filter: AuditFilter, actor: Actor): Promise<Readable> {
  const rows = auditRecordsForAdmin(filter)
  return startExport(deps, { action: "audit_records.exported", audience: "admin", actor, filter, rows })
}

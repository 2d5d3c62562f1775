import type { Readable } from "node:stream"
import type { Actor } from "./audit-entry.ts"
import { auditRecordsForAdmin } from "./audit-exports-repository.ts"
import type { AuditFilter } from "./audit-lists-repository.ts"
import { type ExportDeps, startExport } from "./start-export.ts"

export function exportAuditRecords(deps: ExportDeps, filter: AuditFilter, actor: Actor): Promise<Readable> {
  const rows = auditRecordsForAdmin(filter)
  return startExport(deps, { action: "audit_records.exported", audience: "admin", actor, filter, rows })
}

import { requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import { type AuditFilter, type AuditRow, listAuditRows } from "./audit-lists-repository.ts"
import { type RecordedChange, recordedChanges } from "./recorded-changes.ts"

export interface AuditRecord extends AuditRow {
  changes: RecordedChange[]
}

interface AuditPart {
  records: AuditRecord[]
  /** Cursor of the next part; null at the end. */
  next: string | null
}

export async function listAuditRecords(
  db: Db,
  filter: AuditFilter,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<AuditPart> {
  const rows = await listAuditRows(db, filter, { limit: limit + 1, after })
  await requireRowBefore(db, "audit_records", { after }, rows)
  const records = rows.slice(0, limit).map((row) => ({ ...row, changes: recordedChanges(row.before, row.after) }))
  return { records, next: rows.length > limit ? (records.at(-1)?.id ?? null) : null }
}

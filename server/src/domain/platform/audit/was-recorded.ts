import type { Db } from "#db/transaction"
import type { AuditEntry } from "./audit-entry.ts"
import { existsAuditRecord } from "./audit-repository.ts"

export async function wasRecorded(db: Db, what: Pick<AuditEntry, "action" | "entity" | "entityId">): Promise<boolean> {
  return existsAuditRecord(db, what)
}

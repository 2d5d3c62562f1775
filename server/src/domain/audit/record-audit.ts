import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import type { AuditEntry } from "./audit-entry.ts"
import { insertAuditRecord } from "./audit-repository.ts"

/** In the transaction of the change itself: what happened is recorded, and what was rolled back is not. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await insertAuditRecord(tx, newId(), entry)
}

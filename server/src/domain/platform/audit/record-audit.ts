import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import type { AuditEntry } from "./audit-entry.ts"
import { insertAuditRecords } from "./audit-repository.ts"

/** Call it in the transaction of the change, so that a rollback leaves no record. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await recordAudits(tx, [entry])
}

export async function recordAudits(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  await insertAuditRecords(
    tx,
    entries.map((entry) => ({ ...entry, id: newId() })),
  )
}

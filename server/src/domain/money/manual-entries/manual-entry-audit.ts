import type { Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { ManualEntry } from "./manual-entry.ts"

type Action = "manual_entry.proposed" | "manual_entry.booked" | "manual_entry.refused"

export async function recordEntry(
  tx: Tx,
  action: Action,
  entry: ManualEntry,
  { by, now }: { by: Actor; now: Date },
): Promise<void> {
  const { id, kind, direction, amountCents, sellerId, reason, reference, reverses, createdBy, approvedBy } = entry
  const after = { kind, direction, amountCents, sellerId, reason, reference, reverses, createdBy, approvedBy }
  await recordAudit(tx, {
    actor: by,
    happenedAt: now,
    action,
    entity: "manual_entry",
    entityId: id,
    before: null,
    after,
  })
}

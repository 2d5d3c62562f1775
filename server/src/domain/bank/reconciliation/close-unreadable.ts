import type { Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { UnreadableEntry } from "#psp/psp"
import { updateClosed } from "./unreadable-entries-repository.ts"

export interface CloseUnreadable {
  id: string
  admin: Actor
  reason: string
}

/** An admin has looked it up at the bank. It moves no money. */
export async function closeUnreadableEntry(
  tx: Tx,
  { id, admin, reason }: CloseUnreadable,
  now: Date,
): Promise<UnreadableEntry & { provider: string }> {
  const entry = isId(id) ? await updateClosed(tx, { id, adminId: admin.id, reason, now }) : null
  if (entry === null) throw new DomainError("unreadable_entry_not_found")
  const { provider, kind, reference } = entry
  await recordAudit(tx, {
    actor: admin,
    happenedAt: now,
    action: "unreadable_entry.closed",
    entity: "unreadable_entry",
    entityId: id,
    before: null,
    after: { provider, kind, reference, reason },
  })
  return entry
}

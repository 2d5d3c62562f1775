import type { Actor, AuditEntry } from "#domain/platform/audit/audit-entry"
import type { UnmatchedPayment } from "./unmatched-payment.ts"

export function unmatchedPaymentAuditOf(
  action: "unmatched_payment.accepted" | "unmatched_payment.returned",
  before: UnmatchedPayment,
  changes: Partial<UnmatchedPayment> & { sellerId?: string },
  actor: Actor,
  happenedAt: Date,
): AuditEntry {
  const { status, reason, endToEndId } = before
  return {
    actor,
    happenedAt,
    action,
    entity: "unmatched_payment",
    entityId: before.id,
    before: { status, reason, endToEndId },
    after: { reason, endToEndId, ...changes },
  }
}

import type { Actor, AuditEntry } from "#domain/platform/audit/audit-entry"
import type { Refund } from "./refund.ts"

type Action = "refund.requested" | "refund.completed" | "refund.refused" | "refund.by_bank"

/** A null actor stands for the platform, acting on the provider's report. */
export function refundAuditOf(
  action: Action,
  before: Refund | null,
  after: Refund,
  actor: Actor | null,
  happenedAt: Date,
): AuditEntry {
  return {
    actor,
    happenedAt,
    action,
    entity: "refund",
    entityId: after.id,
    before: before === null ? null : recorded(before),
    after: recorded(after),
  }
}

function recorded({ status, origin, endToEndId, chargeId, sellerId, amountCents, feeCents, failureReason }: Refund) {
  return { status, origin, endToEndId, chargeId, sellerId, amountCents, feeCents, failureReason }
}

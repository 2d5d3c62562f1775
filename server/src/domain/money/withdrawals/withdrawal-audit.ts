import type { Actor, AuditEntry } from "#domain/platform/audit/audit-entry"
import type { Withdrawal } from "./withdrawal.ts"

type Action =
  | "withdrawal.requested"
  | "withdrawal.cancelled"
  | "withdrawal.approved"
  | "withdrawal.rejected"
  | "withdrawal.completed"
  | "withdrawal.refused"
  | "withdrawal.returned"
  | "withdrawal.paid_after_all"

/** A null actor stands for the platform, acting on the provider's answer. */
export function withdrawalAuditOf(
  action: Action,
  before: Withdrawal | null,
  after: Withdrawal,
  actor: Actor | null,
  happenedAt: Date,
): AuditEntry {
  return {
    actor,
    happenedAt,
    action,
    entity: "withdrawal",
    entityId: after.id,
    before: before === null ? null : recorded(before),
    after: recorded(after),
  }
}

/** The destination never changes and is stored with the withdrawal, so its kind is enough here. */
function recorded(withdrawal: Withdrawal): object {
  const { status, sellerId, amountCents, destination, adminNotes, failureReason, returnedCents, returnReason } =
    withdrawal
  const came = returnReason === null ? {} : { returnedCents, reason: returnReason }
  return { status, sellerId, amountCents, method: destination.method, adminNotes, failureReason, ...came }
}

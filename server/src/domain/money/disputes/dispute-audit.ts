import type { Actor, AuditEntry } from "#domain/platform/audit/audit-entry"
import type { Dispute } from "./dispute.ts"

type Action =
  | "dispute.opened"
  | "dispute.changed"
  | "dispute.closed"
  | "dispute.registered"
  | "dispute.released"
  | "dispute.debited"
  | "dispute.defended"

/** A null actor stands for the platform, acting on the provider's report. */
export function disputeAuditOf(
  action: Action,
  before: Dispute | null,
  after: Dispute,
  actor: Actor | null,
  happenedAt: Date,
): AuditEntry {
  return {
    actor,
    happenedAt,
    action,
    entity: "dispute",
    entityId: after.id,
    before: before === null ? null : recorded(before),
    after: recorded(after),
  }
}

function recorded({
  state,
  endToEndId,
  chargeId,
  sellerId,
  amountCents,
  blockedCents,
  debitedCents,
  ...rest
}: Dispute) {
  const { reason, defenceState, adminNotes } = rest
  return {
    status: state,
    endToEndId,
    chargeId,
    sellerId,
    amountCents,
    blockedCents,
    debitedCents,
    reason,
    defenceState,
    adminNotes,
  }
}

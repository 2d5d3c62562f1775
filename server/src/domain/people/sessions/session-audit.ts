import type { Actor, AuditEntry } from "#domain/platform/audit/audit-entry"

interface Ended {
  /** The sessions that ended. */
  ids: readonly string[]
  userId: string
  /** Null where the platform ended them. */
  by: Actor | null
}

/** Sessions are deleted when they end, so this record alone tells when, and by whom. */
export function endAuditOf(
  action: "session.closed" | "session.ended",
  { ids, userId, by }: Ended,
  happenedAt: Date,
): AuditEntry {
  const [id = userId] = ids
  return {
    ...{ actor: by, happenedAt, action, entity: "session", entityId: ids.length === 1 ? id : userId },
    before: null,
    after: { userId, sessions: ids.length },
  }
}

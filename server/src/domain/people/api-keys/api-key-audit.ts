import type { Actor, AuditEntry } from "#domain/platform/audit/audit-entry"
import type { ApiKey } from "./api-key.ts"

/** Records what the key may do, not the key. */
export function apiKeyAuditOf(
  action: "api_key.created" | "api_key.revoked",
  { id, name, scopes, expiresAt }: ApiKey,
  actor: Actor,
  happenedAt: Date,
): AuditEntry {
  const facts = { name, scopes: scopes.join(", "), ...(expiresAt && { expiresAt: expiresAt.toISOString() }) }
  const isNew = action === "api_key.created"
  return {
    ...{ actor, happenedAt, action, entity: "api_key", entityId: id },
    before: isNew ? null : facts,
    after: isNew ? facts : null,
  }
}

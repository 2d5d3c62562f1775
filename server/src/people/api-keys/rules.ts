import type { ApiKeyScope } from "@tilinta/contract/vocabulary/api"
import type { Actor, AuditEntry } from "#platform/audit/rules"

export interface ApiKey {
  id: string
  userId: string
  name: string
  hint: string
  scopes: ApiKeyScope[]
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  lastUsedAddress: string | null
}

/** More than a seller's programs; beyond it somebody creates keys instead of storing one. */
export const MOST_API_KEYS = 50

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
    actor,
    happenedAt,
    action,
    entity: "api_key",
    entityId: id,
    before: isNew ? null : facts,
    after: isNew ? facts : null,
  }
}

import type { Actor, AuditEntry } from "#domain/platform/audit/audit-entry"
import type { Webhook } from "./webhook.ts"

type Facts = Pick<Webhook, "url" | "types">

interface Change {
  id: string
  before: Facts | null
  after: Facts | null
}

/** Records where events go, never the secret. */
export function webhookAuditOf(
  action: "webhook.created" | "webhook.changed" | "webhook.rotated" | "webhook.deleted",
  { id, before, after }: Change,
  actor: Actor,
  happenedAt: Date,
): AuditEntry {
  return { actor, happenedAt, action, entity: "webhook", entityId: id, before: factsOf(before), after: factsOf(after) }
}

function factsOf(facts: Facts | null): { url: string; types: string } | null {
  return facts === null ? null : { url: facts.url, types: facts.types.length === 0 ? "todos" : facts.types.join(", ") }
}

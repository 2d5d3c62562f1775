import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { publishSessionsEnded } from "#events/events"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { apiKeyAuditOf } from "./api-key-audit.ts"
import { markRevoked } from "./api-keys-repository.ts"

export async function revokeApiKey(
  { db, clock }: { db: Db; clock: Clock },
  { id, owner }: { id: string; owner: Actor },
): Promise<void> {
  const now = clock.now()
  const isRevoked = isId(id) && (await db.transaction().execute((tx) => revoke(tx, { id, owner }, now)))
  if (!isRevoked) throw new DomainError("api_key_not_found")
}

async function revoke(tx: Tx, { id, owner }: { id: string; owner: Actor }, now: Date): Promise<boolean> {
  const revoked = await markRevoked(tx, { id, userId: owner.id, at: now })
  if (revoked === undefined) return false
  // Requests of the key that wait for an event end now.
  await publishSessionsEnded(tx, owner.id)
  await recordAudit(tx, apiKeyAuditOf("api_key.revoked", revoked, owner, now))
  return true
}

import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { webhookAuditOf } from "./webhook-audit.ts"
import { lockWebhook, markDeleted } from "./webhooks-repository.ts"

/** Ends claims at once; a request that is under way is the last one. */
export async function deleteWebhook(
  { db, clock }: { db: Db; clock: Clock },
  { id, owner }: { id: string; owner: Actor },
): Promise<void> {
  const isDeleted = isId(id) && (await db.transaction().execute((tx) => remove(tx, { id, owner }, clock.now())))
  if (!isDeleted) throw new DomainError("webhook_not_found")
}

async function remove(tx: Tx, { id, owner }: { id: string; owner: Actor }, now: Date): Promise<boolean> {
  const before = await lockWebhook(tx, { id, sellerId: owner.id })
  if (before === undefined) return false
  await markDeleted(tx, id, now)
  await recordAudit(tx, webhookAuditOf("webhook.deleted", { id, before, after: null }, owner, now))
  return true
}

import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import { requireSharedKey } from "#domain/platform/sealing/sealing-key"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId, newId } from "#kit/ids"
import type { SecretKeys } from "#kit/secret-box"
import type { Webhook } from "./webhook.ts"
import { webhookAuditOf } from "./webhook-audit.ts"
import { sealWebhookSecret } from "./webhook-box.ts"
import { formerSecretSeconds, newWebhookSecret } from "./webhook-secret.ts"
import { lockWebhook, setSecret } from "./webhooks-repository.ts"

interface Wish {
  id: string
  owner: Actor
  idempotencyKey: string | null
}

interface Rotated {
  /** Null when the request was repeated: it is shown once. */
  secret: string | null
  webhook: Webhook
}

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

/** Both secrets sign for a day, so that no receiver has to change at the same moment. */
export async function rotateWebhookSecret(deps: Deps, wish: Wish): Promise<Rotated> {
  if (!isId(wish.id)) throw new DomainError("webhook_not_found")
  return deps.db.transaction().execute((tx) => rotate(tx, deps, wish))
}

async function rotate(tx: Tx, { clock, secretKeys }: Deps, { id, owner, idempotencyKey: key }: Wish): Promise<Rotated> {
  await requireSharedKey(tx, secretKeys)
  const now = clock.now()
  const resourceId = newId()
  const request = { rotate: id }
  const firstId = await claimIdempotencyKey(tx, { ownerId: owner.id, key, request, resourceId })
  const webhook = await lockWebhook(tx, { id, sellerId: owner.id })
  if (webhook === undefined) throw new DomainError("webhook_not_found")
  if (firstId !== resourceId) return { secret: null, webhook }
  const secret = newWebhookSecret()
  const formerSecretUntil = secondsAfter(now, formerSecretSeconds)
  await setSecret(tx, id, sealWebhookSecret(secretKeys, id, secret), formerSecretUntil)
  await recordAudit(tx, webhookAuditOf("webhook.rotated", { id, before: null, after: webhook }, owner, now))
  return { secret, webhook: { ...webhook, formerSecretUntil } }
}

import type { EventType } from "@tilinta/contract/vocabulary/event-types"
import { MOST_WEBHOOKS } from "@tilinta/contract/vocabulary/webhooks"
import type { Db, Tx } from "#db/transaction"
import { type PasswordProof, provePassword } from "#domain/people/users/prove-password"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import { requireSharedKey } from "#domain/platform/sealing/sealing-key"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import type { OutsideAccess } from "#kit/outside-target"
import type { SecretKeys } from "#kit/secret-box"
import { checkTarget } from "./check-target.ts"
import { tellOfAddress } from "./tell-of-address.ts"
import type { Webhook } from "./webhook.ts"
import { webhookAuditOf } from "./webhook-audit.ts"
import { sealWebhookSecret } from "./webhook-box.ts"
import { newWebhookSecret } from "./webhook-secret.ts"
import { findCreatedWebhook, findWebhooksOf, insertWebhook, lockWebhooksOf } from "./webhooks-repository.ts"

interface Wish {
  owner: Actor
  url: string
  types: readonly EventType[]
  idempotencyKey: string | null
  /** Null for an API key, whose scope was confirmed when it was created. */
  proof: PasswordProof | null
}

interface Created {
  /** Null when the request was repeated: it is shown once. */
  secret: string | null
  webhook: Webhook
}

/** Events leave through it for ever, so that a stolen session alone can't create one. */
export async function createWebhook(
  deps: { db: Db; clock: Clock; outside: OutsideAccess; secretKeys: SecretKeys },
  wish: Wish,
): Promise<Created> {
  if (wish.proof !== null) await provePassword(deps, wish.proof)
  const url = await checkTarget(deps.outside, wish.url)
  const types = [...new Set(wish.types)].sort()
  const webhook = {
    ...{ id: newId(), sellerId: wish.owner.id, url, types, createdAt: deps.clock.now(), failingSince: null },
    ...{ lastProblem: null, lastDeliveredAt: null, formerSecretUntil: null },
  }
  return deps.db.transaction().execute((tx) => storeWebhook(tx, webhook, { ...wish, secretKeys: deps.secretKeys }))
}

async function storeWebhook(
  tx: Tx,
  webhook: Webhook,
  { owner, idempotencyKey, secretKeys }: Wish & { secretKeys: SecretKeys },
): Promise<Created> {
  await requireSharedKey(tx, secretKeys)
  const { id, sellerId, url, types, createdAt } = webhook
  await lockWebhooksOf(tx, sellerId)
  const request = { webhook: { url, types } }
  const firstId = await claimIdempotencyKey(tx, { ownerId: sellerId, key: idempotencyKey, request, resourceId: id })
  if (firstId !== id) return { secret: null, webhook: await firstWebhook(tx, { id: firstId, sellerId }) }
  if ((await findWebhooksOf(tx, sellerId)).length >= MOST_WEBHOOKS) throw new DomainError("too_many_webhooks")

  const secret = newWebhookSecret()
  await insertWebhook(tx, webhook, sealWebhookSecret(secretKeys, id, secret))
  await recordAudit(
    tx,
    webhookAuditOf("webhook.created", { id, before: null, after: { url, types } }, owner, createdAt),
  )
  await tellOfAddress(tx, webhook, { owner, formerUrl: null, at: createdAt })
  return { secret, webhook }
}

async function firstWebhook(tx: Tx, own: Pick<Webhook, "id" | "sellerId">): Promise<Webhook> {
  const first = await findCreatedWebhook(tx, own)
  if (first === undefined) throw new DomainError("idempotency_key_reused")
  return first
}

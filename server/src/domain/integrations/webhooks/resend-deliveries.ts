import type { Db, Tx } from "#db/transaction"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId, newId } from "#kit/ids"
import { findDelivery, releaseOne, releaseSince } from "./deliveries-repository.ts"
import type { Delivery } from "./delivery.ts"
import type { OwnWebhook } from "./webhook.ts"
import { clearRest, findWebhook } from "./webhooks-repository.ts"

interface Deps {
  db: Db
  dueClock: Clock
}

const BATCH = 1_000

/** One click: sent at once, also what had all its tries. */
export async function resendDelivery(
  { db, dueClock }: Deps,
  own: OwnWebhook,
  idempotencyKey: string | null,
): Promise<Delivery> {
  if (!isId(own.id)) throw new DomainError("webhook_delivery_not_found")
  return db.transaction().execute((tx) => resendOne(tx, { ...own, idempotencyKey }, dueClock.now()))
}

interface Request extends OwnWebhook {
  idempotencyKey: string | null
}

async function resendOne(tx: Tx, { id, sellerId, idempotencyKey: key }: Request, now: Date): Promise<Delivery> {
  const delivery = await findDelivery(tx, { id, sellerId })
  if (delivery === undefined) throw new DomainError("webhook_delivery_not_found")
  const resourceId = newId()
  const firstId = await claimIdempotencyKey(tx, { ownerId: sellerId, key, request: { resend: id }, resourceId })
  if (firstId !== resourceId) return delivery
  await releaseOne(tx, id, now)
  await clearRest(tx, delivery.webhookId)
  return { ...delivery, nextAttemptAt: now }
}

/** The number of deliveries since then. In batches, so that no lock is held for long. */
export async function resendSince(
  { db, dueClock }: Deps,
  { since, idempotencyKey, ...own }: Request & { since: Date },
): Promise<number> {
  const webhook = isId(own.id) ? await findWebhook(db, own) : undefined
  if (webhook === undefined) throw new DomainError("webhook_not_found")
  const isFirst = await db.transaction().execute((tx) => claimResend(tx, { ...own, since, idempotencyKey }))
  const now = dueClock.now()
  let count = 0
  for (let beyond = 0; ; ) {
    const batch = { id: own.id, since, beyond, now, limit: BATCH, isDry: !isFirst }
    const released = await db.transaction().execute((tx) => releaseSince(tx, batch))
    if (released === null) return count
    count += released.count
    beyond = released.last
  }
}

async function claimResend(tx: Tx, request: Request & { since: Date }): Promise<boolean> {
  const { id, sellerId, since, idempotencyKey: key } = request
  const resourceId = newId()
  const asked = { resend: { webhook: id, since: since.toISOString() } }
  const firstId = await claimIdempotencyKey(tx, { ownerId: sellerId, key, request: asked, resourceId })
  if (firstId === resourceId) await clearRest(tx, id)
  return firstId === resourceId
}

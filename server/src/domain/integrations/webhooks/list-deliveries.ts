import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { Message } from "./attempt-delivery.ts"
import { findAttempts, findDeliveries, findDelivery } from "./deliveries-repository.ts"
import type { Delivery } from "./delivery.ts"
import { readMessages, type WriteEvent } from "./read-messages.ts"
import type { Outcome, OwnWebhook } from "./webhook.ts"
import { findWebhook } from "./webhooks-repository.ts"

interface Part {
  limit: number
  /** The delivery after which the list goes on. */
  after?: string | undefined
}

/** Newest first. */
export async function listDeliveries(
  db: Db,
  own: OwnWebhook,
  { limit, after }: Part,
): Promise<{ deliveries: Delivery[]; next: string | null }> {
  const webhook = isId(own.id) ? await findWebhook(db, own) : undefined
  if (webhook === undefined) throw new DomainError("webhook_not_found")
  const found = await findDeliveries(db, own, { limit: limit + 1, after })
  const deliveries = found.slice(0, limit)
  return { deliveries, next: found.length > limit ? (deliveries.at(-1)?.id ?? null) : null }
}

interface DeliveryDetails {
  delivery: Delivery
  message: Message
  /** Newest first. */
  attempts: Outcome[]
}

export async function getDelivery(deps: { db: Db; writeEvent: WriteEvent }, own: OwnWebhook): Promise<DeliveryDetails> {
  const delivery = isId(own.id) ? await findDelivery(deps.db, own) : undefined
  if (delivery === undefined) throw new DomainError("webhook_delivery_not_found")
  const message = (await readMessages(deps, own.sellerId, [delivery.sequence])).get(delivery.sequence)
  if (message === undefined) throw new DomainError("webhook_delivery_not_found")
  return { delivery, message, attempts: await findAttempts(deps.db, delivery.id) }
}

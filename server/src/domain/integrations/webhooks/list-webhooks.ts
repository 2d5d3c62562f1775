import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { countUndelivered } from "./deliveries-repository.ts"
import type { OwnWebhook, Webhook } from "./webhook.ts"
import { findListeningSellers, findWebhook, findWebhooksOf } from "./webhooks-repository.ts"

export interface CountedWebhook extends Webhook {
  /** Deliveries without success so far; counted up to a bound. */
  undelivered: number
}

const MOST_COUNTED = 1_000

/** Newest first. */
export async function listWebhooks(db: Db, sellerId: string): Promise<CountedWebhook[]> {
  return counted(db, await findWebhooksOf(db, sellerId))
}

export async function getWebhook(db: Db, own: OwnWebhook): Promise<CountedWebhook> {
  const webhook = isId(own.id) ? await findWebhook(db, own) : undefined
  if (webhook === undefined) throw new DomainError("webhook_not_found")
  return withCount(db, webhook)
}

export async function withCount(db: Db, webhook: Webhook): Promise<CountedWebhook> {
  const [first] = await counted(db, [webhook])
  return first ?? { ...webhook, undelivered: 0 }
}

/** The sellers whose events somebody wants to hear. */
export async function listListeningSellers(db: Db): Promise<string[]> {
  return findListeningSellers(db)
}

async function counted(db: Db, webhooks: Webhook[]): Promise<CountedWebhook[]> {
  const counts = await countUndelivered(
    db,
    webhooks.map(({ id }) => id),
    MOST_COUNTED,
  )
  return webhooks.map((webhook) => ({ ...webhook, undelivered: counts.get(webhook.id) ?? 0 }))
}

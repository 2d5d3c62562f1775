import { webhookTestType } from "@tilinta/contract/vocabulary/events"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import type { OutsideAccess } from "#kit/outside"
import type { SecretKeys } from "#kit/secrets"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { challengeEndpoint } from "./confirm.ts"
import { attemptDelivery, healthAfterSuccess, type Message, readMessages, type WriteEvent } from "./deliver.ts"
import { findAttempts, findDeliveries, findDelivery, releaseOne, releaseSince } from "./deliveries-table.ts"
import type { Delivery, Outcome, OwnWebhook } from "./rules.ts"
import { signingSecrets, webhookSecretOpener } from "./secrets.ts"
import { clearRest, findSigner, findWebhook, lockEndpoints, saveHealths } from "./table.ts"

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

interface ResendDeps {
  db: Db
  dueClock: Clock
}

const BATCH = 1_000

/** One click: sent at once, also what had all its tries. */
export async function resendDelivery(
  { db, dueClock }: ResendDeps,
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
  { db, dueClock }: ResendDeps,
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

async function claimResend(
  tx: Tx,
  { id, sellerId, since, idempotencyKey: key }: Request & { since: Date },
): Promise<boolean> {
  const resourceId = newId()
  const request = { resend: { webhook: id, since: since.toISOString() } }
  const firstId = await claimIdempotencyKey(tx, { ownerId: sellerId, key, request, resourceId })
  if (firstId === resourceId) await clearRest(tx, id)
  return firstId === resourceId
}

export interface WebhookDeps {
  db: Db
  clock: Clock
  dueClock: Clock
  outside: OutsideAccess
  secretKeys: SecretKeys
}

/**
 * Signed and sent like every event. An endpoint that answers it gets what has waited for it; one that isn't confirmed is
 * sent its challenge instead.
 */
export async function testWebhook(deps: WebhookDeps, own: OwnWebhook): Promise<Outcome> {
  const signer = isId(own.id) ? await findSigner(deps.db, own) : undefined
  if (signer === undefined) throw new DomainError("webhook_not_found")
  if (!signer.isConfirmed) return challengeEndpoint(deps, signer)
  const now = deps.clock.now()
  const secrets = signingSecrets(webhookSecretOpener(deps.secretKeys), signer, now)
  const outcome = await attemptDelivery(deps, { ...signer, secrets }, testMessage(now))
  if (outcome.problem === null) {
    await deps.db.transaction().execute((tx) => noteAnswer(tx, own.id, deps.dueClock.now()))
  }
  return outcome
}

function testMessage(now: Date): Message {
  const id = `evt_test_${newId()}`
  const data = { message: "Evento de teste: nada aconteceu." }
  return { id, body: JSON.stringify({ id, type: webhookTestType, sequence: 0, createdAt: now.toISOString(), data }) }
}

/** A failing one alone: the health of the others is told by their events. */
async function noteAnswer(tx: Tx, id: string, at: Date): Promise<void> {
  const failing = (await lockEndpoints(tx, [id])).filter(({ failingSince }) => failingSince !== null)
  await saveHealths(
    tx,
    failing.map((endpoint) => healthAfterSuccess(endpoint, { at, isSlow: false })),
  )
}

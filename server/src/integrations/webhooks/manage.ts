import { type EventType, MOST_WEBHOOKS } from "@tilinta/contract/vocabulary/events"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import { type OutsideAccess, resolveTarget, type TargetProblem, TargetRefused } from "#kit/outside"
import type { SecretKeys } from "#kit/secrets"
import { issueNotMeLink } from "#people/freezes/freeze"
import { type PasswordProof, provePassword } from "#people/users/passwords"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { whenceOf } from "#platform/mails/mail-content"
import { notifyOwner } from "#platform/mails/notify-owner"
import { requireSharedKey } from "#platform/system/sealing-key"
import { countUndelivered } from "./deliveries-table.ts"
import { type OwnWebhook, type Webhook, webhookAuditOf } from "./rules.ts"
import { newWebhookSecret, sealWebhookSecret } from "./secrets.ts"
import {
  findCreatedWebhook,
  findWebhook,
  findWebhooksOf,
  insertWebhook,
  lockWebhook,
  lockWebhooksOf,
  markDeleted,
  releaseForNewUrl,
  setWebhook,
} from "./table.ts"

interface CreateWebhookInput {
  owner: Actor
  url: string
  types: readonly EventType[]
  idempotencyKey: string | null
  /** Null for an API key, whose scope was confirmed when it was created. */
  proof: PasswordProof | null
}

interface CreatedWebhook {
  /** Null when the request was repeated: it is shown once. */
  secret: string | null
  webhook: Webhook
}

/**
 * `outside` says what the caller may name, and the endpoint keeps it: a stranger's never leads to this machine, not even in
 * the sandbox. Asks for a password proof: a webhook leaks every later event, so a stolen session alone must not create
 * one.
 */
export async function createWebhook(
  deps: { db: Db; clock: Clock; outside: OutsideAccess; secretKeys: SecretKeys },
  input: CreateWebhookInput,
): Promise<CreatedWebhook> {
  if (input.proof !== null) await provePassword(deps, input.proof)
  const url = await checkTarget(deps.outside, input.url)
  const types = [...new Set(input.types)].sort()
  const webhook: Webhook = {
    id: newId(),
    sellerId: input.owner.id,
    url,
    allowsLocal: deps.outside.allowsLocal,
    types,
    createdAt: deps.clock.now(),
    failingSince: null,
    lastProblem: null,
    lastDeliveredAt: null,
    formerSecretUntil: null,
    confirmedAt: null,
  }
  return deps.db.transaction().execute((tx) => storeWebhook(tx, webhook, { ...input, secretKeys: deps.secretKeys }))
}

async function storeWebhook(
  tx: Tx,
  webhook: Webhook,
  { owner, idempotencyKey, secretKeys }: CreateWebhookInput & { secretKeys: SecretKeys },
): Promise<CreatedWebhook> {
  await requireSharedKey(tx, secretKeys)
  const { id, sellerId, url, types, createdAt } = webhook
  await lockWebhooksOf(tx, sellerId)
  const request = { webhook: { url, types } }
  const firstId = await claimIdempotencyKey(tx, { ownerId: sellerId, key: idempotencyKey, request, resourceId: id })
  if (firstId !== id) return { secret: null, webhook: await firstWebhook(tx, { id: firstId, sellerId }) }
  if ((await findWebhooksOf(tx, sellerId)).length >= MOST_WEBHOOKS) throw new DomainError("too_many_webhooks")

  const secret = newWebhookSecret()
  await insertWebhook(tx, webhook, sealWebhookSecret(secretKeys, id, secret))
  await recordAudit(tx, webhookAuditOf("webhook.created", { id, before: null, after: webhook }, owner, createdAt))
  await notifyOfAddress(tx, webhook, { owner, formerUrl: null, at: createdAt })
  return { secret, webhook }
}

async function firstWebhook(tx: Tx, own: Pick<Webhook, "id" | "sellerId">): Promise<Webhook> {
  const first = await findCreatedWebhook(tx, own)
  if (first === undefined) throw new DomainError("idempotency_key_reused")
  return first
}

interface ChangeWebhookInput {
  id: string
  owner: Actor
  url: string | undefined
  types: readonly EventType[] | undefined
  /** Needed for another address; null for an API key. */
  proof: PasswordProof | null
}

interface Deps {
  db: Db
  clock: Clock
  dueClock: Clock
  outside: OutsideAccess
}

export async function changeWebhook(deps: Deps, input: ChangeWebhookInput): Promise<Webhook> {
  const own = { id: input.id, sellerId: input.owner.id }
  const current = isId(input.id) ? await findWebhook(deps.db, own) : undefined
  if (current === undefined) throw new DomainError("webhook_not_found")
  const isMoved = input.url !== undefined && input.url !== current.url
  if (isMoved && input.proof !== null) await provePassword(deps, input.proof)
  const url = isMoved ? await checkTarget(deps.outside, input.url ?? current.url) : undefined
  const types = input.types && [...new Set(input.types)].sort()
  const { allowsLocal } = deps.outside
  const change = { ...input, url, allowsLocal, types, at: deps.clock.now(), dueAt: deps.dueClock.now() }
  return deps.db.transaction().execute((tx) => storeChange(tx, change))
}

type Change = Omit<ChangeWebhookInput, "types"> & {
  types: EventType[] | undefined
  allowsLocal: boolean
  at: Date
  dueAt: Date
}

/** Takes the fields that stay from the locked row: another change may have moved the address since it was read. */
async function storeChange(tx: Tx, { id, owner, at, dueAt, ...change }: Change): Promise<Webhook> {
  const before = await lockWebhook(tx, { id, sellerId: owner.id })
  if (before === undefined) throw new DomainError("webhook_not_found")
  const { url = before.url, types = before.types } = change
  const allowsLocal = url === before.url ? before.allowsLocal : change.allowsLocal
  const after = { ...before, url, allowsLocal, types }
  if (before.url === url && before.types.join() === types.join()) return before
  await setWebhook(tx, after)
  await recordAudit(tx, webhookAuditOf("webhook.changed", { id, before, after }, owner, at))
  if (before.url === url) return after
  await releaseForNewUrl(tx, id, dueAt)
  await notifyOfAddress(tx, after, { owner, formerUrl: before.url, at })
  return { ...after, failingSince: null, lastProblem: null, lastDeliveredAt: null, confirmedAt: null }
}

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

const messages: Record<TargetProblem, string> = {
  malformed: "Informe um endereço completo, como https://loja.com.br/webhooks.",
  scheme: "O endereço deve começar com https://.",
  userinfo: "Não coloque usuário nem senha no endereço: confira a assinatura dos eventos.",
  port: "A porta do endereço não é válida.",
  unresolved: "Este endereço não foi encontrado no DNS. Confira o nome.",
  inside: "Este endereço leva a uma rede interna, e eventos só são enviados pela internet.",
}

/** Returns the normalised address; refuses one that a delivery would refuse. */
async function checkTarget(outside: OutsideAccess, url: string): Promise<string> {
  try {
    return (await resolveTarget(outside, url)).url.href
  } catch (error) {
    if (error instanceof TargetRefused) throw brokenRule("url", messages[error.problem])
    throw error
  }
}

/** Mails the owner about every new address, also one set by an API key, which needs no step-up. */
async function notifyOfAddress(
  tx: Tx,
  { sellerId, url }: Pick<Webhook, "sellerId" | "url">,
  { owner, formerUrl, at }: { owner: Actor; formerUrl: string | null; at: Date },
): Promise<void> {
  const changedAt = at.toISOString()
  const notice = { kind: "webhook_address", url, formerUrl, changedAt, ...whenceOf(owner) } as const
  await notifyOwner(tx, { userId: sellerId, notice, notMe: await issueNotMeLink(tx, sellerId, at) }, at)
}

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

async function counted(db: Db, webhooks: Webhook[]): Promise<CountedWebhook[]> {
  const counts = await countUndelivered(
    db,
    webhooks.map(({ id }) => id),
    MOST_COUNTED,
  )
  return webhooks.map((webhook) => ({ ...webhook, undelivered: counts.get(webhook.id) ?? 0 }))
}

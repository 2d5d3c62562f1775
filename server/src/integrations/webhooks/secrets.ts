import { createHmac, randomBytes } from "node:crypto"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import { createSecretReader, openSecret, type Sealed, type SecretKeys, sealSecret } from "#kit/secrets"
import { warnOwner } from "#people/freezes/freeze"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { whenceOf } from "#platform/mails/mail-content"
import { requireSharedKey } from "#platform/system/sealing-key"
import { type SealedSecrets, type Webhook, webhookAuditOf } from "./rules.ts"
import { lockSealedOtherwise, lockWebhook, saveResealed, setSecret } from "./table.ts"

interface RotateSecretInput {
  id: string
  owner: Actor
  idempotencyKey: string | null
}

interface RotatedSecret {
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
export async function rotateWebhookSecret(deps: Deps, input: RotateSecretInput): Promise<RotatedSecret> {
  if (!isId(input.id)) throw new DomainError("webhook_not_found")
  return deps.db.transaction().execute((tx) => rotate(tx, deps, input))
}

async function rotate(
  tx: Tx,
  { clock, secretKeys }: Deps,
  { id, owner, idempotencyKey: key }: RotateSecretInput,
): Promise<RotatedSecret> {
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
  const facts = { webhookUrl: webhook.url, rotatedAt: now.toISOString(), ...whenceOf(owner) }
  await warnOwner(tx, owner.id, { kind: "signing_key_rotated", ...facts }, now)
  return { secret, webhook: { ...webhook, formerSecretUntil } }
}

/** Re-encrypts every webhook secret with the current key; returns how many endpoints were changed. */
export async function resealWebhookSecrets(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  const open = webhookSecretOpener(secretKeys)
  const old = await lockSealedOtherwise(tx, secretKeys()[0].id)
  for (const { endpointId, keyId, box, formerKeyId, formerBox } of old) {
    const reseal = (sealed: Sealed) => sealWebhookSecret(secretKeys, endpointId, open(endpointId, sealed))
    const former = formerKeyId === null || formerBox === null ? null : reseal({ keyId: formerKeyId, box: formerBox })
    await saveResealed(tx, endpointId, { current: reseal({ keyId, box }), former })
  }
  return old.length
}

type OpenWebhookSecret = (endpointId: string, sealed: Sealed) => string

export function sealWebhookSecret(keys: SecretKeys, endpointId: string, secret: string): Sealed {
  return sealSecret(keys, secret, contextOf(endpointId))
}

export function webhookSecretOpener(keys: SecretKeys): OpenWebhookSecret {
  return (endpointId, sealed) => openSecret(keys, sealed, contextOf(endpointId))
}

/** Opens a secret once for all deliveries that it signs. */
export function createWebhookSecretReader(keys: SecretKeys): OpenWebhookSecret {
  const read = createSecretReader(keys)
  return (endpointId, sealed) => read(sealed, contextOf(endpointId))
}

/** The secrets that sign now: for a day after a rotation the former one signs, too. */
export function signingSecrets(open: OpenWebhookSecret, sealed: SealedSecrets, now: Date): string[] {
  const { endpointId, keyId, box, formerKeyId, formerBox, formerSecretUntil } = sealed
  const secret = open(endpointId, { keyId, box })
  if (formerKeyId === null || formerBox === null || formerSecretUntil === null || now >= formerSecretUntil)
    return [secret]
  return [secret, open(endpointId, { keyId: formerKeyId, box: formerBox })]
}

/** The encryption context: a secret copied into another endpoint's row does not open. */
function contextOf(endpointId: string): string {
  return `webhook_endpoints:${endpointId}`
}

const prefix = "whsec_"
/** How long the former secret signs, too, after a rotation. */
const formerSecretSeconds = 24 * 3600

export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString("base64")
}

interface SignedContent {
  messageId: string
  timestampSeconds: number
  body: string
}

/** The header webhook-signature of Standard Webhooks: one signature for each secret, with a space between. */
export function signatureOf(secrets: readonly string[], { messageId, timestampSeconds, body }: SignedContent): string {
  const content = `${messageId}.${timestampSeconds}.${body}`
  const sign = (secret: string) =>
    createHmac("sha256", Buffer.from(secret.slice(prefix.length), "base64"))
      .update(content)
      .digest("base64")
  return secrets.map((secret) => `v1,${sign(secret)}`).join(" ")
}

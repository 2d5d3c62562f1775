import { createSecretReader, openSecret, type Sealed, type SecretKeys, sealSecret } from "#kit/secret-box"

/** The secrets of an endpoint, each beside the id of the key that sealed it. */
export interface SealedSecrets {
  endpointId: string
  keyId: string
  box: Buffer
  formerKeyId: string | null
  formerBox: Buffer | null
  formerSecretUntil: Date | null
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

/** Those that sign now: the former one signs beside the new one for a while. */
export function signingSecrets(open: OpenWebhookSecret, sealed: SealedSecrets, now: Date): string[] {
  const { endpointId, keyId, box, formerKeyId, formerBox, formerSecretUntil } = sealed
  const secret = open(endpointId, { keyId, box })
  if (formerKeyId === null || formerBox === null || formerSecretUntil === null || now >= formerSecretUntil)
    return [secret]
  return [secret, open(endpointId, { keyId: formerKeyId, box: formerBox })]
}

/** Binds a box to its endpoint. */
function contextOf(endpointId: string): string {
  return `webhook_endpoints:${endpointId}`
}

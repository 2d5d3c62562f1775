import { createHmac, randomBytes } from "node:crypto"

const prefix = "whsec_"
/** The former secret signs beside the new one for so long. */
export const formerSecretSeconds = 24 * 3600

export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString("base64")
}

interface Signed {
  messageId: string
  timestampSeconds: number
  body: string
}

/** The header webhook-signature of Standard Webhooks: one signature for each secret, with a space between. */
export function signatureOf(secrets: readonly string[], { messageId, timestampSeconds, body }: Signed): string {
  const content = `${messageId}.${timestampSeconds}.${body}`
  const sign = (secret: string) =>
    createHmac("sha256", Buffer.from(secret.slice(prefix.length), "base64"))
      .update(content)
      .digest("base64")
  return secrets.map((secret) => `v1,${sign(secret)}`).join(" ")
}

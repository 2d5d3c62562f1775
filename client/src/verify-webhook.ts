import type { TilintaEvent } from "./read-events.ts"

/** The moment a webhook was sent may differ from ours by this much: an old one is a replay. */
const TOLERANCE_SECONDS = 5 * 60

type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** A webhook that is not from the server, or is not for now: answer it with 400. */
export class WebhookForgedError extends Error {
  override readonly name = "WebhookForgedError"
}

/**
 * Reads a webhook, of which `body` is the text as it arrived, and throws unless one of its signatures is made with one
 * of the secrets. While a secret is being changed, both may be given.
 */
export async function verifyWebhook<Event = TilintaEvent>(
  body: string | Uint8Array,
  headers: GivenHeaders,
  secret: string | readonly string[],
): Promise<Event> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
  const id = headerOf(headers, "webhook-id")
  const sentAt = headerOf(headers, "webhook-timestamp")
  const isInTime = /^\d{1,12}$/.test(sentAt) && Math.abs(Date.now() / 1000 - Number(sentAt)) <= TOLERANCE_SECONDS
  if (!isInTime) throw new WebhookForgedError("The webhook's time is not now")

  const signed = joined(new TextEncoder().encode(`${id}.${sentAt}.`), bytes)
  const signatures = headerOf(headers, "webhook-signature").split(" ")
  const secrets = typeof secret === "string" ? [secret] : secret
  for (const each of secrets) {
    if (await isSignedBy(each, signed, signatures)) return JSON.parse(new TextDecoder().decode(bytes)) as Event
  }
  throw new WebhookForgedError("No signature of the webhook fits the secret")
}

/**
 * The whole body of the answer, with status 200, to the first message that a new address gets; null for every event. No event
 * comes before that answer.
 */
export function challengeOf(event: { type: string; data: object }): string | null {
  const { challenge } = event.data as { challenge?: unknown }
  return event.type === "webhook.challenge" && typeof challenge === "string" ? challenge : null
}

/** Compares by WebCrypto, which takes as long for a wrong signature as for a right one. */
async function isSignedBy(secret: string, signed: Uint8Array<ArrayBuffer>, signatures: string[]): Promise<boolean> {
  const key = await signingKey(secret)
  for (const signature of signatures) {
    const [version, encoded = ""] = signature.split(",")
    const bytes = version === "v1" ? fromBase64(encoded) : null
    if (bytes !== null && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return true
  }
  return false
}

type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

export async function signingKey(secret: string): Promise<SigningKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ""))
  if (bytes === null || bytes.length === 0) throw new TypeError("The secret must be that of the webhook, whsec_…")
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"])
}

function headerOf(headers: GivenHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== "string" || value === "") throw new WebhookForgedError(`The webhook has no ${name}`)
  return value
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

import type { WebhookProblem } from "@tilinta/contract/vocabulary/webhooks"
import type { Clock } from "#kit/clock"
import type { OutsideAccess } from "#kit/outside-target"
import { type OutsideReply, postOutside } from "#kit/post-outside"
import type { Outcome } from "./webhook.ts"
import { signatureOf } from "./webhook-secret.ts"

const bounds = { timeoutMs: 10_000, maxBytes: 64 * 1024 }
/** The beginning of an answer says what was wrong. */
const KEPT_CHARACTERS = 2_000

/** A webhook's message: the same id and body at each try. */
export interface Message {
  id: string
  body: string
}

/** Headers of Standard Webhooks. */
export function headersOf(messageId: string, { attemptedAt, signature }: Pick<Outcome, "attemptedAt" | "signature">) {
  return {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Tilinta",
    "webhook-id": messageId,
    "webhook-timestamp": String(timestampOf(attemptedAt)),
    "webhook-signature": signature,
  }
}

/**
 * Signs by the machine's clock, since receivers refuse a timestamp that isn't now. Never throws: whatever happens is an
 * outcome. A request that is given up counts as timed out.
 */
export async function attemptDelivery(
  { outside, clock }: { outside: OutsideAccess; clock: Clock },
  { url, secrets }: { url: string; secrets: readonly string[] },
  { id, body }: Message,
  giveUp?: AbortSignal,
): Promise<Outcome> {
  const attemptedAt = clock.now()
  const signature = signatureOf(secrets, { messageId: id, timestampSeconds: timestampOf(attemptedAt), body })
  const startMs = performance.now()
  const headers = headersOf(id, { attemptedAt, signature })
  const reply = await postOutside(outside, { url, headers, body }, { ...bounds, giveUp })
  const durationMs = Math.round(performance.now() - startMs)
  const answer = reply.status === null ? null : storable(reply.text)
  return { attemptedAt, durationMs, url, signature, status: reply.status, problem: problemOf(reply), answer }
}

function timestampOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}

function problemOf({ status, failure }: OutsideReply): WebhookProblem | null {
  if (failure !== null) return failure
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? "redirected" : "bad_status"
}

/** PostgreSQL stores no NUL. */
function storable(text: string): string {
  return text.slice(0, KEPT_CHARACTERS).toWellFormed().replaceAll("\0", "�")
}

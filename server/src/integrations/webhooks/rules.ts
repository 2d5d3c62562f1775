import type { DeliveryState, EventType, WebhookProblem } from "@tilinta/contract/vocabulary/events"
import { secondsAfter } from "#kit/clock"
import type { Actor, AuditEntry } from "#platform/audit/rules"

export interface Webhook {
  id: string
  sellerId: string
  url: string
  /** In the sandbox it may lead to this machine. */
  allowsLocal: boolean
  /** Empty for every type. */
  types: EventType[]
  createdAt: Date
  failingSince: Date | null
  lastProblem: WebhookProblem | null
  lastDeliveredAt: Date | null
  formerSecretUntil: Date | null
  /** Null until its present address has answered the challenge. */
  confirmedAt: Date | null
}

export type OwnWebhook = Pick<Webhook, "id" | "sellerId">

/** One request and its result. */
export interface Outcome {
  /** By the machine's clock. */
  attemptedAt: Date
  durationMs: number
  url: string
  signature: string
  status: number | null
  /** Null on success. */
  problem: WebhookProblem | null
  answer: string | null
  /** The target of a redirect. */
  location: string | null
}

/** As it came, with what is not kept. */
export interface FreshOutcome extends Outcome {
  retryAfterSeconds: number | null
}

type AuditedFields = Pick<Webhook, "url" | "types">

/** Records where events go, never the secret. */
export function webhookAuditOf(
  action: "webhook.created" | "webhook.changed" | "webhook.rotated" | "webhook.deleted",
  { id, before, after }: { id: string; before: AuditedFields | null; after: AuditedFields | null },
  actor: Actor,
  happenedAt: Date,
): AuditEntry {
  return {
    actor,
    happenedAt,
    action,
    entity: "webhook",
    entityId: id,
    before: auditedFields(before),
    after: auditedFields(after),
  }
}

function auditedFields(webhook: AuditedFields | null): { url: string; types: string } | null {
  if (webhook === null) return null
  return { url: webhook.url, types: webhook.types.length === 0 ? "todos" : webhook.types.join(", ") }
}

export interface Delivery {
  id: string
  webhookId: string
  sellerId: string
  sequence: number
  type: EventType
  occurredAt: Date
  attempts: number
  nextAttemptAt: Date | null
  deliveredAt: Date | null
  lastStatus: number | null
  lastProblem: WebhookProblem | null
}

export function stateOf({ nextAttemptAt, deliveredAt, lastProblem }: Delivery): DeliveryState {
  if (nextAttemptAt === null) return deliveredAt === null ? "waiting" : "delivered"
  return lastProblem === null ? "queued" : "retrying"
}

const minute = 60
const hour = 3600

/** The lease of a claim is longer than a try and its record take. */
export const leaseSeconds = 30
export const firstPauseSeconds = 5
const growing = [firstPauseSeconds, 30, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour]
/** From 5 s to 12 h, over five days and four hours. */
const pauses = [...growing, ...Array.from({ length: 9 }, () => 12 * hour)]

export const longestPauseSeconds = 12 * hour
/** A longer pause is cut to this one. */
export const longestRetryAfterSeconds = 24 * hour
/** So many challenges are sent by themselves. */
export const triesOfSchedule = pauses.length

/** Null after the last try: then the delivery waits for a release. */
export function nextAttemptAfter(attempts: number, now: Date): Date | null {
  const pause = pauses[attempts - 1]
  return pause === undefined ? null : secondsAfter(now, pause)
}

/** The pause in seconds, of a number or a date; null without one. */
export function retryAfterOf(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? ""
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000
  return seconds > 0 ? Math.min(Math.ceil(seconds), longestRetryAfterSeconds) : null
}

/** A receiver can only lengthen a pause. */
export function notBefore(moment: Date, { retryAfterSeconds }: FreshOutcome, endedAt: Date): Date {
  const wanted = secondsAfter(endedAt, retryAfterSeconds ?? 0)
  return wanted > moment ? wanted : moment
}

export const longestRestSeconds = 30

/** Back-off of a failing endpoint: it is called at most every half minute, however many deliveries are due. */
export function restAfter(failuresInRow: number, now: Date): Date {
  return secondsAfter(now, Math.min(0.25 * 2 ** Math.min(failuresInRow, 10), longestRestSeconds))
}

/** `new` is for endpoints that have never answered, `hanging` for failing ones that let the last request time out. */
export type Lane = "fast" | "new" | "slow" | "failing" | "hanging"

export interface InFlight {
  endpointId: string
  count: number
}

/** The most that one claim may take in a lane, and of each endpoint. */
export interface LaneCapacity {
  lane: Lane
  capacity: number
  perEndpoint: number
}

/** The secrets of an endpoint, each with the id of the key that sealed it. */
export interface SealedSecrets {
  endpointId: string
  keyId: string
  box: Buffer
  formerKeyId: string | null
  formerBox: Buffer | null
  formerSecretUntil: Date | null
}

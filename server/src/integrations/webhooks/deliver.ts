import type { WebhookProblem } from "@tilinta/contract/vocabulary/events"
import type { Db, Tx } from "#db/transaction"
import { eventIdOf, readEvents, type SellerEvent } from "#integrations/event-feed/feed"
import { type Clock, secondsAfter } from "#kit/clock"
import { type OutsideAccess, type OutsideReply, postOutside } from "#kit/outside"
import {
  type ClaimedDelivery,
  type Ending,
  endDeliveries,
  findPendingEvents,
  insertAttempts,
  insertDeliveries,
} from "./deliveries-table.ts"
import {
  type FreshOutcome,
  longestRestSeconds,
  nextAttemptAfter,
  notBefore,
  type Outcome,
  restAfter,
  retryAfterOf,
  triesOfSchedule,
} from "./rules.ts"
import { signatureOf } from "./secrets.ts"
import {
  type BehindEndpoint,
  type EndpointHealth,
  type LockedRows,
  lockBehind,
  lockEndpoints,
  moveCursors,
  type Signer,
  saveHealths,
} from "./table.ts"

const ENDPOINTS = 100
const EVENTS_PER_ENDPOINT = 500

/**
 * Writes a delivery for each pending event of each endpoint, and moves the endpoint's cursor in the same transaction, so
 * that a crash neither repeats nor loses one. Without `sellerIds` it works for all sellers. Returns the endpoints that got
 * deliveries. `locked` says whether endpoints locked by another transaction are skipped or waited for.
 */
export async function fanOutEvents(
  { db, clock }: { db: Db; clock: Clock },
  sellerIds: readonly string[] | null = null,
  locked: LockedRows = "wait",
): Promise<Set<string>> {
  const endpointIds = new Set<string>()
  for (;;) {
    const progress = await db.transaction().execute((tx) => fanOut(tx, { sellerIds, locked, now: clock.now() }))
    for (const id of progress.endpointIds) endpointIds.add(id)
    if (!progress.isMore) return endpointIds
  }
}

interface FanOutInput {
  sellerIds: readonly string[] | null
  locked: LockedRows
  now: Date
}

async function fanOut(
  tx: Tx,
  { sellerIds, locked, now }: FanOutInput,
): Promise<{ endpointIds: string[]; isMore: boolean }> {
  const behind = await lockBehind(tx, { sellerIds, locked, limit: ENDPOINTS })
  if (behind.length === 0) return { endpointIds: [], isMore: false }
  const pending = Map.groupBy(await findPendingEvents(tx, behind, EVENTS_PER_ENDPOINT), ({ endpointId }) => endpointId)
  const deliveries = behind.flatMap(({ id, types }) =>
    (pending.get(id) ?? [])
      .filter(({ type }) => types.length === 0 || types.includes(type))
      .map((event) => ({ ...event, dueAt: now })),
  )
  if (deliveries.length > 0) await insertDeliveries(tx, deliveries)
  await moveCursors(
    tx,
    behind.map((endpoint) => ({
      id: endpoint.id,
      fannedOutSequence: lastSequenceOf(endpoint, pending.get(endpoint.id)),
    })),
  )
  const isMore =
    behind.length === ENDPOINTS || [...pending.values()].some(({ length }) => length === EVENTS_PER_ENDPOINT)
  return { endpointIds: deliveries.map(({ endpointId }) => endpointId), isMore }
}

/** Without pending events the cursor goes to the log's end: retention has deleted what was between. */
function lastSequenceOf({ lastSequence }: BehindEndpoint, pending: readonly { sequence: number }[] = []): number {
  return pending.at(-1)?.sequence ?? lastSequence
}

const bounds = { timeoutMs: 10_000, maxBytes: 64 * 1024 }
/** Only the beginning of an answer is kept: it says what was wrong. */
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
 * Sends one request and never throws: every failure is an outcome, and an aborted request counts as timed out. Signs with
 * the machine's clock, since receivers refuse a timestamp that is not now.
 */
export async function attemptDelivery(
  { outside, clock }: { outside: OutsideAccess; clock: Clock },
  { url, allowsLocal, secrets }: Pick<Signer, "url" | "allowsLocal"> & { secrets: readonly string[] },
  { id, body }: Message,
  giveUp?: AbortSignal,
): Promise<FreshOutcome> {
  const attemptedAt = clock.now()
  const signature = signatureOf(secrets, { messageId: id, timestampSeconds: timestampOf(attemptedAt), body })
  const startMs = performance.now()
  const headers = headersOf(id, { attemptedAt, signature })
  const access = { ...outside, allowsLocal: outside.allowsLocal && allowsLocal }
  const reply = await postOutside(access, { url, headers, body }, { ...bounds, giveUp })
  const durationMs = Math.round(performance.now() - startMs)
  const { status, text, headers: answered } = reply
  return {
    ...{ attemptedAt, durationMs, url, signature, status },
    problem: problemOf(reply),
    answer: status === null ? null : storable(text),
    location:
      answered.location === undefined ? null : storable(URL.parse(answered.location, url)?.href ?? answered.location),
    retryAfterSeconds: retryAfterOf(answered["retry-after"], clock.now()),
  }
}

function timestampOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}

function problemOf({ status, failure }: OutsideReply): WebhookProblem | null {
  if (failure !== null) return failure
  if (status >= 200 && status < 300) return null
  if (status === 410) return "gone"
  return status >= 300 && status < 400 ? "redirected" : "bad_status"
}

/** PostgreSQL stores no NUL. */
function storable(text: string): string {
  return text.slice(0, KEPT_CHARACTERS).toWellFormed().replaceAll("\0", "�")
}

export interface Sent {
  delivery: ClaimedDelivery
  outcome: FreshOutcome
  /** By the deliveries' clock. */
  endedAt: Date
}

const SLOW_MS = 2_000
const RECORD_SUCCESS_EVERY_SECONDS = 60

/** Writes deliveries first and endpoints by id second: every transaction locks them in this order. */
export async function recordOutcomes(tx: Tx, sent: readonly Sent[]): Promise<void> {
  await insertAttempts(
    tx,
    sent.map(({ delivery, outcome }) => ({ ...outcome, id: delivery.id })),
  )
  await endDeliveries(tx, sent.map(endingOf))
  const sentByEndpoint = Map.groupBy(sent.filter(changesHealth), ({ delivery }) => delivery.endpointId)
  if (sentByEndpoint.size === 0) return
  const endpoints = await lockEndpoints(tx, [...sentByEndpoint.keys()])
  await saveHealths(
    tx,
    endpoints.map((endpoint) => healthAfter(endpoint, sentByEndpoint.get(endpoint.id) ?? [])),
  )
}

function endingOf({ delivery, outcome, endedAt }: Sent): Ending {
  const { problem, status } = outcome
  const scheduled = problem === null ? null : nextAttemptAfter(delivery.attempts, endedAt)
  const nextAttemptAt = scheduled && notBefore(scheduled, outcome, endedAt)
  return { id: delivery.id, problem, status, endedAt, nextAttemptAt }
}

/** False for one more success of a healthy endpoint: its row is then written at most once a minute. */
function changesHealth({ delivery, outcome, endedAt }: Sent): boolean {
  const { lane, lastDeliveredAt } = delivery
  if (
    outcome.problem !== null ||
    lane === "failing" ||
    lane === "hanging" ||
    (lane === "slow") !== isSlowAnswer(outcome)
  )
    return true
  return lastDeliveredAt === null || secondsAfter(lastDeliveredAt, RECORD_SUCCESS_EVERY_SECONDS) <= endedAt
}

function isSlowAnswer({ durationMs }: Outcome): boolean {
  return durationMs > SLOW_MS
}

/**
 * Applies the outcomes in the order in which they ended, so that a success between failures still releases what waits. What
 * was sent before the address was changed or paused tells nothing.
 */
function healthAfter(endpoint: EndpointHealth, sent: readonly Sent[]): EndpointHealth {
  return sent.reduce((health, { outcome, endedAt }) => {
    if (health.confirmedAt === null) return health
    if (outcome.problem === "gone") return healthAfterGone(health, endedAt)
    if (outcome.problem === null) {
      const { restUntil } = health
      // A pause requested by Retry-After holds, whatever came of the requests that were under way.
      const isRequested = restUntil !== null && restUntil > secondsAfter(endedAt, longestRestSeconds)
      const after = healthAfterSuccess(health, { at: endedAt, isSlow: isSlowAnswer(outcome) })
      return isRequested ? { ...after, restUntil } : after
    }
    const failuresInRow = health.failuresInRow + 1
    return {
      ...health,
      failingSince: health.failingSince ?? endedAt,
      failuresInRow,
      restUntil: notBefore(restAfter(failuresInRow, endedAt), outcome, endedAt),
      lastProblem: outcome.problem,
    }
  }, endpoint)
}

/** Its owner says that nothing must be sent there: only a person may ask it again. */
export function healthAfterGone(endpoint: EndpointHealth, at: Date): EndpointHealth {
  const paused = { confirmedAt: null, failuresInRow: triesOfSchedule, restUntil: null }
  return { ...endpoint, ...paused, failingSince: at, lastProblem: "gone" }
}

/** The first success after failures restarts the schedule of the waiting deliveries. */
export function healthAfterSuccess(
  { failingSince, releaseBefore, ...endpoint }: EndpointHealth,
  { at, isSlow }: { at: Date; isSlow: boolean },
): EndpointHealth {
  return {
    ...endpoint,
    failingSince: null,
    failuresInRow: 0,
    restUntil: null,
    lastProblem: null,
    isSlow,
    lastDeliveredAt: at,
    releaseBefore: failingSince === null ? releaseBefore : at,
  }
}

/** The event as the feed shows it. */
export type WriteEvent = (event: SellerEvent) => unknown

/** Events this near to each other are read by one query, along with those between them. */
const MOST_IN_SPAN = 50

/** The messages of a seller's events by sequence; an event that was deleted has none. */
export async function readMessages(
  { db, writeEvent }: { db: Db; writeEvent: WriteEvent },
  sellerId: string,
  sequences: readonly number[],
): Promise<Map<number, Message>> {
  const messages = new Map<number, Message>()
  for (const { first, last } of spansOf(sequences)) {
    const span = { sellerId, after: first - 1, limit: last - first + 1, types: undefined }
    for (const event of (await readEvents(db, span)).events) {
      messages.set(event.sequence, { id: eventIdOf(event), body: JSON.stringify(writeEvent(event)) })
    }
  }
  return messages
}

interface Span {
  first: number
  last: number
}

function spansOf(sequences: readonly number[]): Span[] {
  const spans: Span[] = []
  for (const sequence of [...new Set(sequences)].sort((one, other) => one - other)) {
    const span = spans.at(-1)
    if (span !== undefined && sequence - span.first < MOST_IN_SPAN) span.last = sequence
    else spans.push({ first: sequence, last: sequence })
  }
  return spans
}

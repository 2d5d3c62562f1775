import type { WebhookProblem } from "@tilinta/contract/vocabulary/webhooks"
import type { Tx } from "#db/transaction"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { secondsAfter } from "#kit/clock"
import { type ClaimedDelivery, type Ending, endDeliveries, insertAttempts } from "./deliveries-repository.ts"
import { nextAttemptAfter, restAfter } from "./delivery-schedule.ts"
import type { Outcome } from "./webhook.ts"
import { type LockedEndpoint, lockEndpoints, markAnswering, markFailing } from "./webhooks-repository.ts"

export interface Sent {
  delivery: ClaimedDelivery
  outcome: Outcome
  /** By the deliveries' clock. */
  endedAt: Date
}

const SLOW_MS = 2_000
const NOTE_SUCCESS_EVERY_SECONDS = 60
const TELL_AFTER_SECONDS = 3600

/** Deliveries first, endpoints by id second: the order in which everybody locks them. */
export async function recordOutcomes(tx: Tx, sent: readonly Sent[]): Promise<void> {
  await insertAttempts(
    tx,
    sent.map(({ delivery, outcome }) => ({ ...outcome, id: delivery.id })),
  )
  await endDeliveries(tx, sent.map(endingOf))
  const telling = Map.groupBy(sent.filter(isNews), ({ delivery }) => delivery.endpointId)
  if (telling.size === 0) return
  for (const endpoint of await lockEndpoints(tx, [...telling.keys()])) {
    await recordHealth(tx, endpoint, telling.get(endpoint.id) ?? [])
  }
}

function endingOf({ delivery, outcome: { problem, status }, endedAt }: Sent): Ending {
  const nextAttemptAt = problem === null ? null : nextAttemptAfter(delivery.attempts, endedAt)
  return { id: delivery.id, problem, status, endedAt, nextAttemptAt }
}

/** A success of an endpoint that has answered all along costs no write to its row. */
function isNews({ delivery, outcome, endedAt }: Sent): boolean {
  const { isFailing, isSlow, lastDeliveredAt } = delivery
  if (outcome.problem !== null || isFailing || isSlow !== isSlowAnswer(outcome)) return true
  return lastDeliveredAt === null || secondsAfter(lastDeliveredAt, NOTE_SUCCESS_EVERY_SECONDS) <= endedAt
}

function isSlowAnswer({ durationMs }: Outcome): boolean {
  return durationMs > SLOW_MS
}

async function recordHealth(tx: Tx, endpoint: LockedEndpoint, sent: readonly Sent[]): Promise<void> {
  const last = sent.at(-1)
  if (last === undefined) return
  const { outcome, endedAt } = last
  const isAnswering = sent.some(({ outcome: { problem } }) => problem === null)
  if (outcome.problem === null) {
    await recordAnswer(tx, endpoint, { at: endedAt, isSlow: isSlowAnswer(outcome) })
    return
  }
  const before = isAnswering ? { failingSince: null, failuresInRow: 0 } : endpoint
  const failingSince = before.failingSince ?? endedAt
  const failuresInRow = before.failuresInRow + sent.length
  await markFailing(tx, endpoint.id, {
    failing_since: failingSince,
    failures_in_row: failuresInRow,
    rest_until: restAfter(failuresInRow, endedAt),
    last_problem: outcome.problem,
  })
  const failing = { problem: outcome.problem, failingSince, endedAt, toldAt: outcome.attemptedAt }
  await tellAfterAnHour(tx, endpoint, failing)
}

/** At the first answer after failures, waiting deliveries begin their schedule anew. */
export async function recordAnswer(
  tx: Tx,
  { id, failingSince }: Pick<LockedEndpoint, "id" | "failingSince">,
  { at, isSlow }: { at: Date; isSlow: boolean },
): Promise<void> {
  await markAnswering(tx, { id, at, isSlow, releaseBefore: failingSince === null ? null : at })
}

interface Failing {
  problem: WebhookProblem
  failingSince: Date
  endedAt: Date
  toldAt: Date
}

/** Once for each outage. */
async function tellAfterAnHour(tx: Tx, { id, sellerId, url }: LockedEndpoint, failing: Failing): Promise<void> {
  const { problem, failingSince, endedAt, toldAt } = failing
  if (secondsAfter(failingSince, TELL_AFTER_SECONDS) > endedAt) return
  const since = failingSince.toISOString()
  const content = { kind: "webhook_failing", url, since, problem } as const
  await enqueueMails(tx, [{ userId: sellerId, dedupeKey: `webhook-failing:${id}:${since}`, content }], toldAt)
}

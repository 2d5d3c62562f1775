import type { Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { type ClaimedDelivery, type Ending, endDeliveries, insertAttempts } from "./deliveries-repository.ts"
import { nextAttemptAfter, restAfter } from "./delivery-schedule.ts"
import type { Outcome } from "./webhook.ts"
import { type EndpointHealth, lockEndpoints, saveHealths } from "./webhooks-repository.ts"

export interface Sent {
  delivery: ClaimedDelivery
  outcome: Outcome
  /** By the deliveries' clock. */
  endedAt: Date
}

const SLOW_MS = 2_000
const NOTE_SUCCESS_EVERY_SECONDS = 60

/** Deliveries first, endpoints by id second: the order in which everybody locks them. */
export async function recordOutcomes(tx: Tx, sent: readonly Sent[]): Promise<void> {
  await insertAttempts(
    tx,
    sent.map(({ delivery, outcome }) => ({ ...outcome, id: delivery.id })),
  )
  await endDeliveries(tx, sent.map(endingOf))
  const telling = Map.groupBy(sent.filter(isNews), ({ delivery }) => delivery.endpointId)
  if (telling.size === 0) return
  const endpoints = await lockEndpoints(tx, [...telling.keys()])
  await saveHealths(
    tx,
    endpoints.map((endpoint) => healthAfter(endpoint, telling.get(endpoint.id) ?? [])),
  )
}

function endingOf({ delivery, outcome: { problem, status }, endedAt }: Sent): Ending {
  const nextAttemptAt = problem === null ? null : nextAttemptAfter(delivery.attempts, endedAt)
  return { id: delivery.id, problem, status, endedAt, nextAttemptAt }
}

/** A success of an endpoint that has answered all along costs no write to its row. */
function isNews({ delivery, outcome, endedAt }: Sent): boolean {
  const { lane, lastDeliveredAt } = delivery
  if (
    outcome.problem !== null ||
    lane === "failing" ||
    lane === "hanging" ||
    (lane === "slow") !== isSlowAnswer(outcome)
  )
    return true
  return lastDeliveredAt === null || secondsAfter(lastDeliveredAt, NOTE_SUCCESS_EVERY_SECONDS) <= endedAt
}

function isSlowAnswer({ durationMs }: Outcome): boolean {
  return durationMs > SLOW_MS
}

/** In the order in which they ended. Also a success among failures releases what waits. */
function healthAfter(endpoint: EndpointHealth, sent: readonly Sent[]): EndpointHealth {
  return sent.reduce((health, { outcome, endedAt }) => {
    if (outcome.problem === null) return answering(health, { at: endedAt, isSlow: isSlowAnswer(outcome) })
    const failuresInRow = health.failuresInRow + 1
    return {
      ...health,
      failingSince: health.failingSince ?? endedAt,
      failuresInRow,
      restUntil: restAfter(failuresInRow, endedAt),
      lastProblem: outcome.problem,
    }
  }, endpoint)
}

/** At the first answer after failures, waiting deliveries begin their schedule anew. */
export function answering(
  { failingSince, releaseBefore, ...endpoint }: EndpointHealth,
  { at, isSlow }: { at: Date; isSlow: boolean },
): EndpointHealth {
  return {
    ...{ ...endpoint, failingSince: null, failuresInRow: 0, restUntil: null, lastProblem: null, isSlow },
    lastDeliveredAt: at,
    releaseBefore: failingSince === null ? releaseBefore : at,
  }
}

import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { findUntold, insertDeliveries } from "./deliveries-repository.ts"
import { type BehindEndpoint, lockBehind, moveCursors } from "./webhooks-repository.ts"

const ENDPOINTS = 100
const EVENTS_PER_ENDPOINT = 500

/**
 * Writes a delivery for each event and endpoint that wants it, and moves the endpoint's cursor, in one transaction: a
 * crash repeats or loses none.
 */
export async function fanOutEvents({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  for (;;) {
    const isMore = await db.transaction().execute((tx) => fanOut(tx, clock.now()))
    if (!isMore) return
  }
}

async function fanOut(tx: Tx, now: Date): Promise<boolean> {
  const behind = await lockBehind(tx, ENDPOINTS)
  if (behind.length === 0) return false
  const untold = Map.groupBy(await findUntold(tx, behind, EVENTS_PER_ENDPOINT), ({ endpointId }) => endpointId)
  const deliveries = behind.flatMap(({ id, types }) =>
    (untold.get(id) ?? [])
      .filter(({ type }) => types.length === 0 || types.includes(type))
      .map((event) => ({ ...event, dueAt: now })),
  )
  if (deliveries.length > 0) await insertDeliveries(tx, deliveries)
  await moveCursors(
    tx,
    behind.map((endpoint) => ({ id: endpoint.id, toldSequence: lastTold(endpoint, untold.get(endpoint.id)) })),
  )
  return behind.length === ENDPOINTS || [...untold.values()].some(({ length }) => length === EVENTS_PER_ENDPOINT)
}

/** Events that were deleted after the retention can't be told any more. */
function lastTold({ lastSequence }: BehindEndpoint, told: readonly { sequence: number }[] = []): number {
  return told.at(-1)?.sequence ?? lastSequence
}

import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { findUntold, insertDeliveries } from "./deliveries-repository.ts"
import { type BehindEndpoint, type Held, lockBehind, moveCursors } from "./webhooks-repository.ts"

export type { Held } from "./webhooks-repository.ts"

const ENDPOINTS = 100
const EVENTS_PER_ENDPOINT = 500

/**
 * Writes a delivery for each event and endpoint that wants it, and moves the endpoint's cursor, in one transaction: a
 * crash repeats or loses none. Of these sellers or of all; answers whose endpoints got some. Endpoints that another
 * transaction holds, as one that records failures does, are skipped or waited for.
 */
export async function fanOutEvents(
  { db, clock }: { db: Db; clock: Clock },
  sellerIds: readonly string[] | null = null,
  held: Held = "wait",
): Promise<Set<string>> {
  const endpointIds = new Set<string>()
  for (;;) {
    const told = await db.transaction().execute((tx) => fanOut(tx, { sellerIds, held, now: clock.now() }))
    for (const id of told.endpointIds) endpointIds.add(id)
    if (!told.isMore) return endpointIds
  }
}

interface Told {
  endpointIds: string[]
  isMore: boolean
}

interface Wish {
  sellerIds: readonly string[] | null
  held: Held
  now: Date
}

async function fanOut(tx: Tx, { sellerIds, held, now }: Wish): Promise<Told> {
  const behind = await lockBehind(tx, { sellerIds, held, limit: ENDPOINTS })
  if (behind.length === 0) return { endpointIds: [], isMore: false }
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
  const isMore =
    behind.length === ENDPOINTS || [...untold.values()].some(({ length }) => length === EVENTS_PER_ENDPOINT)
  return { endpointIds: deliveries.map(({ endpointId }) => endpointId), isMore }
}

/** Events that were deleted after the retention can't be told any more. */
function lastTold({ lastSequence }: BehindEndpoint, told: readonly { sequence: number }[] = []): number {
  return told.at(-1)?.sequence ?? lastSequence
}

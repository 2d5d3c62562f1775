import type { EventType, WebhookProblem } from "@tilinta/contract/vocabulary/events"
import { sql } from "kysely"
import { lookup, prepared } from "#db/prepared"
import {
  bigint,
  integer,
  integerList,
  type NewRow,
  rowsOf,
  text,
  textList,
  timestamptz,
  uuid,
  uuidList,
} from "#db/rows-of"
import { type Db, type OneStatement, oneStatement, type Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import {
  type Delivery,
  firstPauseSeconds,
  type InFlight,
  type Lane,
  type LaneCapacity,
  leaseSeconds,
  type OwnWebhook,
} from "./rules.ts"
import type { BehindEndpoint, Signer } from "./table.ts"

interface PendingEvent {
  endpointId: string
  sequence: number
  type: EventType
  occurredAt: Date
}

/** The next events of each endpoint's seller, whatever their type. */
export async function findPendingEvents(
  tx: Tx,
  behind: readonly BehindEndpoint[],
  limit: number,
): Promise<PendingEvent[]> {
  const { rows } = await sql<PendingEvent>`
    select behind.id as "endpointId", event.sequence, event.type, event.occurred_at as "occurredAt"
    from unnest(
      ${behind.map(({ id }) => id)}::uuid[], ${behind.map(({ sellerId }) => sellerId)}::uuid[],
      ${behind.map(({ fannedOutSequence: toldSequence }) => toldSequence)}::bigint[]
    ) behind (id, seller_id, told)
    cross join lateral (
      select sequence, type, occurred_at from events
      where seller_id = behind.seller_id and sequence > behind.told
      order by sequence limit ${limit}
    ) event
    order by behind.id, event.sequence`.execute(tx)
  return rows
}

type NewDelivery = Omit<PendingEvent, "type"> & { dueAt: Date }
type Untried = "attempts" | "attempted_at" | "delivered_at" | "last_status" | "last_problem"

const newDeliveries = rowsOf<NewDelivery, NewRow<"webhook_deliveries", Untried>>("given", {
  id: uuid(() => newId()),
  endpoint_id: uuid(({ endpointId }) => endpointId),
  sequence: bigint(({ sequence }) => sequence),
  occurred_at: timestamptz(({ occurredAt }) => occurredAt),
  next_attempt_at: timestamptz(({ dueAt }) => dueAt),
})

export async function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
  await prepared("insert-webhook-deliveries")`
    insert into webhook_deliveries (${newDeliveries.columns})
    select ${newDeliveries.columns} from ${newDeliveries.of(deliveries)}`.execute(tx)
}

interface DueQuery {
  now: Date
  capacities: readonly LaneCapacity[]
  /** Deliveries that this process is sending already. */
  inFlight: readonly InFlight[]
  /** Null for each one that has something queued. */
  endpointIds: readonly string[] | null
}

interface DueDelivery {
  id: string
  lane: Lane
}

/**
 * Visits each endpoint by one index lookup, and takes a few of each, so that no backlog stands before another endpoint's first
 * delivery. Locks nothing: a transaction that writes keeps everybody's new events waiting for their numbers until it ends.
 */
export async function findDueDeliveries(
  db: Db,
  { now, capacities, inFlight, endpointIds }: DueQuery,
): Promise<DueDelivery[]> {
  const lanes = textList(capacities.map(({ lane }) => lane))
  const places = integerList(capacities.map(({ capacity }) => capacity))
  const most = integerList(capacities.map(({ perEndpoint }) => perEndpoint))
  const busyIds = uuidList(inFlight.map(({ endpointId }) => endpointId))
  const busyCounts = integerList(inFlight.map(({ count }) => count))
  const { rows } = await prepared<DueDelivery>("find-due-webhook-deliveries")`
    with recursive each_queued (endpoint_id) as (
      (
        select endpoint_id from webhook_deliveries where next_attempt_at is not null and ${endpointIds === null}::boolean
        order by endpoint_id limit 1
      )
      union all
      select (
        select next.endpoint_id from webhook_deliveries next
        where next.next_attempt_at is not null and next.endpoint_id > each_queued.endpoint_id
        order by next.endpoint_id limit 1
      ) from each_queued where each_queued.endpoint_id is not null
    ),
    queued as (
      select endpoint_id from each_queued
      union all
      select unnest(${uuidList(endpointIds ?? [])})
    ),
    found as (
      select due.id, lane.name as lane, row_number() over (partition by lane.name order by due.next_attempt_at) as place,
        lane.capacity
      from queued
      join webhook_endpoints endpoint on endpoint.id = queued.endpoint_id
      join unnest(${lanes}, ${places}, ${most}) lane (name, capacity, most) on lane.name = case
        when endpoint.failing_since is not null and endpoint.last_problem = 'timed_out' then 'hanging'
        when endpoint.failing_since is not null then 'failing'
        when endpoint.is_slow then 'slow'
        when endpoint.last_delivered_at is null then 'new'
        else 'fast' end
      left join unnest(${busyIds}, ${busyCounts}) busy (endpoint_id, count) on busy.endpoint_id = endpoint.id
      cross join lateral (
        select id, next_attempt_at from webhook_deliveries
        where endpoint_id = endpoint.id and next_attempt_at is not null and next_attempt_at <= ${now}
        order by next_attempt_at limit greatest(0, lane.most - coalesce(busy.count, 0))
      ) due
      where endpoint.deleted_at is null and endpoint.confirmed_at is not null and (endpoint.rest_until is null or endpoint.rest_until <= ${now})
    )
    select id, lane from found where place <= capacity`.execute(db)
  return rows
}

export interface ClaimedDelivery extends Signer {
  id: string
  sellerId: string
  sequence: number
  attempts: number
  lane: Lane
  lastDeliveredAt: Date | null
}

interface Lease {
  now: Date
  /** Its end: a crash leaves the delivery to a later claim. */
  until: Date
}

const dueDeliveries = rowsOf<DueDelivery, { id: string; lane: string }>("given", {
  id: uuid(({ id }) => id),
  lane: text(({ lane }) => lane),
})

/** Those of them that no other process has claimed meanwhile, to addresses that are still confirmed. */
export function claimDeliveries(due: readonly DueDelivery[], { now, until }: Lease): OneStatement<ClaimedDelivery[]> {
  return oneStatement(
    prepared<ClaimedDelivery>("claim-webhook-deliveries")`
    with claimed as (
      select delivery.id, given.lane
      from ${dueDeliveries.of(due)}
      join webhook_deliveries delivery on ${lookup("delivery.id", "given.id")}
      where delivery.next_attempt_at <= ${now}
      for update of delivery skip locked
    )
    update webhook_deliveries delivery
    set attempts = attempts + 1, attempted_at = ${now}, next_attempt_at = ${until}
    from claimed, webhook_endpoints endpoint
    where ${lookup("delivery.id", "claimed.id")} and ${lookup("endpoint.id", "delivery.endpoint_id")}
      and endpoint.confirmed_at is not null
    returning delivery.id, endpoint.id as "endpointId", endpoint.seller_id as "sellerId", delivery.sequence,
      delivery.attempts, endpoint.url, endpoint.allows_local as "allowsLocal", endpoint.key_id as "keyId",
      endpoint.sealed_secret as box, endpoint.former_key_id as "formerKeyId", endpoint.former_sealed_secret as "formerBox",
      endpoint.former_secret_until as "formerSecretUntil", claimed.lane, endpoint.last_delivered_at as "lastDeliveredAt"`,
    (rows) => rows,
  )
}

export interface Ending {
  id: string
  /** Null on success. */
  problem: WebhookProblem | null
  status: number | null
  endedAt: Date
  /** Null when it waits, or is delivered. */
  nextAttemptAt: Date | null
}

const endings = rowsOf<
  Ending,
  Pick<NewRow<"webhook_deliveries">, "id" | "last_problem" | "last_status" | "delivered_at" | "next_attempt_at">
>("given", {
  id: uuid(({ id }) => id),
  last_problem: text(({ problem }) => problem),
  last_status: integer(({ status }) => status),
  delivered_at: timestamptz(({ problem, endedAt }) => (problem === null ? endedAt : null)),
  next_attempt_at: timestamptz(({ nextAttemptAt }) => nextAttemptAt),
})

/** A delivery that succeeded once stays delivered, whatever becomes of a repetition. */
export async function endDeliveries(tx: Tx, ended: readonly Ending[]): Promise<void> {
  const ordered = ended.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  await prepared("end-webhook-deliveries")`
    update webhook_deliveries delivery
    set last_problem = given.last_problem, last_status = given.last_status,
      delivered_at = coalesce(delivery.delivered_at, given.delivered_at), next_attempt_at = given.next_attempt_at
    from ${endings.of(ordered)}
    where ${lookup("delivery.id", "given.id")}`.execute(tx)
}

interface NewAttempt extends Omit<Ending, "endedAt" | "nextAttemptAt"> {
  attemptedAt: Date
  durationMs: number
  url: string
  signature: string
  location: string | null
  answer: string | null
}

const newAttempts = rowsOf<NewAttempt, NewRow<"webhook_attempts">>("given", {
  id: uuid(() => newId()),
  delivery_id: uuid(({ id }) => id),
  attempted_at: timestamptz(({ attemptedAt }) => attemptedAt),
  duration_ms: integer(({ durationMs }) => durationMs),
  url: text(({ url }) => url),
  signature: text(({ signature }) => signature),
  status: integer(({ status }) => status),
  problem: text(({ problem }) => problem),
  location: text(({ location }) => location),
  answer: text(({ answer }) => answer),
})

/** Not of a delivery that was deleted meanwhile. */
export async function insertAttempts(tx: Tx, attempts: readonly NewAttempt[]): Promise<void> {
  await prepared("insert-webhook-attempts")`
    insert into webhook_attempts (${newAttempts.columns})
    select ${newAttempts.columns} from ${newAttempts.of(attempts)}
    where exists (select from webhook_deliveries where ${lookup("webhook_deliveries.id", "given.delivery_id")})`.execute(
    tx,
  )
}

/**
 * Undelivered ones begin their schedule anew; the number of them. One that is being sent keeps its lease, or it would be sent
 * twice at once; one that comes within the first pause comes when it was told to, and none sooner than that after its last try.
 */
export async function releaseUndelivered(
  tx: Tx,
  { id, before, now, limit }: { id: string; before: Date; now: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries
    set attempts = 0, next_attempt_at = greatest(${now}, attempted_at + ${firstPauseSeconds} * interval '1 second')
    where id in (
      select id from webhook_deliveries
      where endpoint_id = ${id} and delivered_at is null and attempted_at < ${before}
        and (next_attempt_at is null or next_attempt_at > ${secondsAfter(now, firstPauseSeconds)})
        and next_attempt_at is distinct from attempted_at + ${leaseSeconds} * interval '1 second'
      order by sequence limit ${limit} for update skip locked
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Finds the next ones after `beyond` by sequence, delivered or not, and makes them due unless it is a dry run. */
export async function releaseSince(
  tx: Tx,
  range: { id: string; since: Date; beyond: number; now: Date; limit: number; isDry: boolean },
): Promise<{ count: number; last: number } | null> {
  const { id, since, beyond, now, limit, isDry } = range
  const { rows } = await sql<{ count: number; last: number | null }>`
    with next as (
      select id, sequence from webhook_deliveries
      where endpoint_id = ${id} and sequence > ${beyond} and occurred_at >= ${since}
      order by sequence limit ${limit} for update
    ),
    released as (
      update webhook_deliveries set attempts = 0, next_attempt_at = ${now}
      where id in (select id from next) and not ${isDry}::boolean and (next_attempt_at is null or next_attempt_at > ${now})
    )
    select count(*) as count, max(sequence) as last from next`.execute(tx)
  const [row] = rows
  return row === undefined || row.last === null ? null : { count: row.count, last: row.last }
}

export async function releaseOne(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable("webhook_deliveries").set({ attempts: 0, next_attempt_at: now }).where("id", "=", id).execute()
}

/** Nobody waits for longer than the schedule's longest pause, unless a clock was ahead. */
export async function pullBackDeliveries(tx: Tx, now: Date, latest: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set next_attempt_at = ${now}
    where id in (
      select id from webhook_deliveries where next_attempt_at > ${latest} for update skip locked
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

function deliveriesOf(db: Db, sellerId: string) {
  return db
    .selectFrom("webhook_deliveries as delivery")
    .innerJoin("webhook_endpoints as endpoint", "endpoint.id", "delivery.endpoint_id")
    .innerJoin("events as event", (join) =>
      join.onRef("event.seller_id", "=", "endpoint.seller_id").onRef("event.sequence", "=", "delivery.sequence"),
    )
    .where("endpoint.seller_id", "=", sellerId)
    .where("endpoint.deleted_at", "is", null)
    .select([
      "delivery.id as id",
      "endpoint.id as webhookId",
      "endpoint.seller_id as sellerId",
      "delivery.sequence as sequence",
      "event.type as type",
      "delivery.occurred_at as occurredAt",
      "delivery.attempts as attempts",
      "delivery.next_attempt_at as nextAttemptAt",
      "delivery.delivered_at as deliveredAt",
      "delivery.last_status as lastStatus",
      "delivery.last_problem as lastProblem",
    ])
}

/** Newest first, after the given delivery. */
export async function findDeliveries(
  db: Db,
  { id, sellerId }: OwnWebhook,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<Delivery[]> {
  const all = deliveriesOf(db, sellerId).where("endpoint.id", "=", id)
  const part =
    after === undefined
      ? all
      : all.where("delivery.sequence", "<", (row) =>
          row.selectFrom("webhook_deliveries").select("sequence").where("id", "=", after).where("endpoint_id", "=", id),
        )
  return part.orderBy("delivery.sequence", "desc").limit(limit).execute()
}

export async function findDelivery(db: Db, own: OwnWebhook): Promise<Delivery | undefined> {
  return deliveriesOf(db, own.sellerId).where("delivery.id", "=", own.id).executeTakeFirst()
}

/** Newest first. */
export async function findAttempts(db: Db, deliveryId: string) {
  return db
    .selectFrom("webhook_attempts")
    .select([
      "attempted_at as attemptedAt",
      "duration_ms as durationMs",
      "url",
      "signature",
      "status",
      "problem",
      "location",
      "answer",
    ])
    .where("delivery_id", "=", deliveryId)
    .orderBy("id", "desc")
    .execute()
}

/** Those without success, up to a bound for each endpoint. */
export async function countUndelivered(db: Db, endpointIds: readonly string[], atMost: number) {
  const { rows } = await sql<{ id: string; count: number }>`
    select endpoint.id, waiting.count from unnest(${endpointIds}::uuid[]) endpoint (id)
    cross join lateral (
      select count(*) as count from (
        select from webhook_deliveries where endpoint_id = endpoint.id and delivered_at is null limit ${atMost}
      ) each
    ) waiting`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** The number of deleted ones. */
export async function deleteDeliveriesBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where occurred_at < ${moment} limit ${limit} for update skip locked
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function deleteDeliveriesOfDeleted(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where id in (
      select delivery.id from webhook_endpoints endpoint
      join webhook_deliveries delivery on delivery.endpoint_id = endpoint.id
      where endpoint.deleted_at is not null limit ${limit} for update of delivery skip locked
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function eraseAnswersBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_attempts set answer = null, location = null where (delivery_id, id) in (
      select delivery_id, id from webhook_attempts where answer is not null and attempted_at < ${moment}
      order by attempted_at limit ${limit} for update skip locked
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

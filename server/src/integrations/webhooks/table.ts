import type { EventType, WebhookProblem } from "@tilinta/contract/vocabulary/events"
import { type NotNull, sql } from "kysely"
import { lookup, prepared } from "#db/prepared"
import { boolean, integer, type NewRow, rowsOf, text, timestamptz, uuid, uuidList } from "#db/rows-of"
import { type Db, type OneStatement, oneStatement, type Tx } from "#db/transaction"
import type { Sealed } from "#kit/secrets"
import { type OwnWebhook, type SealedSecrets, triesOfSchedule, type Webhook } from "./rules.ts"

const columns = [
  "id",
  "seller_id as sellerId",
  "url",
  "allows_local as allowsLocal",
  "types",
  "created_at as createdAt",
  "failing_since as failingSince",
  "last_problem as lastProblem",
  "last_delivered_at as lastDeliveredAt",
  "former_secret_until as formerSecretUntil",
  "confirmed_at as confirmedAt",
] as const

const secretColumns = [
  "id as endpointId",
  "key_id as keyId",
  "sealed_secret as box",
  "former_key_id as formerKeyId",
  "former_sealed_secret as formerBox",
  "former_secret_until as formerSecretUntil",
] as const

/** Serialises creations of one seller, so that concurrent ones count like sequential ones. */
export async function lockWebhooksOf(tx: Tx, sellerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks:${sellerId}`}, 0))`.execute(tx)
}

/** Begins after the seller's last event: a new endpoint hears of what happens from now on. */
export async function insertWebhook(tx: Tx, webhook: Webhook, { keyId, box }: Sealed): Promise<void> {
  await tx
    .insertInto("webhook_endpoints")
    .values((row) => ({
      id: webhook.id,
      seller_id: webhook.sellerId,
      url: webhook.url,
      allows_local: webhook.allowsLocal,
      types: webhook.types,
      key_id: keyId,
      sealed_secret: box,
      created_at: webhook.createdAt,
      told_sequence: row.fn.coalesce(
        row.selectFrom("event_sequences").select("last_sequence").where("seller_id", "=", webhook.sellerId),
        row.lit(0),
      ),
    }))
    .execute()
}

export async function findWebhook(db: Db, { id, sellerId }: OwnWebhook): Promise<Webhook | undefined> {
  return db
    .selectFrom("webhook_endpoints")
    .select(columns)
    .where("id", "=", id)
    .where("seller_id", "=", sellerId)
    .where("deleted_at", "is", null)
    .executeTakeFirst()
}

/** Also a deleted one, which a repeated creation may name. */
export async function findCreatedWebhook(db: Db, { id, sellerId }: OwnWebhook): Promise<Webhook | undefined> {
  const webhooks = db.selectFrom("webhook_endpoints").select(columns).where("id", "=", id)
  return webhooks.where("seller_id", "=", sellerId).executeTakeFirst()
}

export async function lockWebhook(tx: Tx, { id, sellerId }: OwnWebhook): Promise<Webhook | undefined> {
  return tx
    .selectFrom("webhook_endpoints")
    .select(columns)
    .where("id", "=", id)
    .where("seller_id", "=", sellerId)
    .where("deleted_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Newest first. A seller has few, so all of them. */
export async function findWebhooksOf(db: Db, sellerId: string): Promise<Webhook[]> {
  return db
    .selectFrom("webhook_endpoints")
    .select(columns)
    .where("seller_id", "=", sellerId)
    .where("deleted_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute()
}

export async function setWebhook(
  tx: Tx,
  { id, url, allowsLocal, types }: Pick<Webhook, "id" | "url" | "allowsLocal" | "types">,
): Promise<void> {
  const changed = { url, allows_local: allowsLocal, types }
  await tx.updateTable("webhook_endpoints").set(changed).where("id", "=", id).execute()
}

/** Another address begins anew: what waits is sent to it, and what is known of the former one says nothing about it. */
export async function releaseForNewUrl(tx: Tx, id: string, before: Date): Promise<void> {
  const fresh = {
    confirmed_at: null,
    failing_since: null,
    failures_in_row: 0,
    rest_until: null,
    is_slow: false,
    last_problem: null,
    last_delivered_at: null,
  }
  await tx
    .updateTable("webhook_endpoints")
    .set({ ...fresh, release_before: before })
    .where("id", "=", id)
    .execute()
}

export async function setSecret(tx: Tx, id: string, { keyId, box }: Sealed, formerSecretUntil: Date): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set((row) => ({
      former_key_id: row.ref("key_id"),
      former_sealed_secret: row.ref("sealed_secret"),
      former_secret_until: formerSecretUntil,
      key_id: keyId,
      sealed_secret: box,
    }))
    .where("id", "=", id)
    .execute()
}

const noFormer = { former_key_id: null, former_sealed_secret: null, former_secret_until: null }

/** Secrets that sign no more are nobody's business. */
export async function eraseFormerSecrets(tx: Tx, now: Date): Promise<void> {
  await tx.updateTable("webhook_endpoints").set(noFormer).where("former_secret_until", "<", now).execute()
}

/** The secret is erased, since nothing is signed with it any more. */
export async function markDeleted(tx: Tx, id: string, at: Date): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set({ ...noFormer, key_id: null, sealed_secret: null, release_before: null, deleted_at: at })
    .where("id", "=", id)
    .execute()
}

export interface Signer extends SealedSecrets {
  url: string
  allowsLocal: boolean
}

export async function findSigner(
  db: Db,
  { id, sellerId }: OwnWebhook,
): Promise<(Signer & { isConfirmed: boolean }) | undefined> {
  return db
    .selectFrom("webhook_endpoints")
    .select((row) => [
      "url",
      "allows_local as allowsLocal",
      ...secretColumns,
      row("confirmed_at", "is not", null).$castTo<boolean>().as("isConfirmed"),
    ])
    .where("id", "=", id)
    .where("seller_id", "=", sellerId)
    .where("deleted_at", "is", null)
    .$narrowType<{ keyId: NotNull; box: NotNull }>()
    .executeTakeFirst()
}

/** Those whose next challenge is due, leased so that no other node sends it, too. */
export async function claimUnconfirmed(
  tx: Tx,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<Signer[]> {
  const due = tx
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("confirmed_at", "is", null)
    .where("deleted_at", "is", null)
    .where("failures_in_row", "<", triesOfSchedule)
    .where((row) => row.or([row("rest_until", "is", null), row("rest_until", "<=", now)]))
  return tx
    .updateTable("webhook_endpoints")
    .set({ rest_until: until })
    .where("id", "in", due.orderBy("id").limit(limit).forNoKeyUpdate().skipLocked())
    .returning(["url", "allows_local as allowsLocal", ...secretColumns])
    .$narrowType<{ keyId: NotNull; box: NotNull }>()
    .execute()
}

/** Those of which another key sealed a secret, locked in the order of everybody. */
export async function lockSealedOtherwise(tx: Tx, keyId: string): Promise<SealedSecrets[]> {
  return tx
    .selectFrom("webhook_endpoints")
    .select(secretColumns)
    .where("deleted_at", "is", null)
    .where((row) => row.or([row("key_id", "!=", keyId), row("former_key_id", "!=", keyId)]))
    .orderBy("id")
    .forNoKeyUpdate()
    .$narrowType<{ keyId: NotNull; box: NotNull }>()
    .execute()
}

export async function saveResealed(
  tx: Tx,
  id: string,
  { current, former }: { current: Sealed; former: Sealed | null },
): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set({ key_id: current.keyId, sealed_secret: current.box })
    .$if(former !== null, (query) =>
      query.set({ former_key_id: former?.keyId ?? null, former_sealed_secret: former?.box ?? null }),
    )
    .where("id", "=", id)
    .execute()
}

export async function findListeningSellers(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("webhook_endpoints")
    .select("seller_id as sellerId")
    .distinct()
    .where("deleted_at", "is", null)
    .execute()
  return rows.map(({ sellerId }) => sellerId)
}

export interface BehindEndpoint {
  id: string
  sellerId: string
  types: EventType[]
  fannedOutSequence: number
  lastSequence: number
}

/** Whether rows locked by another transaction are skipped or waited for. */
export type LockedRows = "skip" | "wait"

/**
 * Locks the endpoints whose seller's log goes beyond their cursor, of these sellers or of all, by id: outcomes lock them in
 * the same order.
 */
export async function lockBehind(
  tx: Tx,
  { sellerIds, locked, limit }: { sellerIds: readonly string[] | null; locked: LockedRows; limit: number },
): Promise<BehindEndpoint[]> {
  const among = sellerIds === null ? sql`true` : sql`endpoint.seller_id = any(${[...sellerIds]}::uuid[])`
  const orSkip = locked === "skip" ? sql`skip locked` : sql``
  const { rows } = await sql<BehindEndpoint>`
    select endpoint.id, endpoint.seller_id as "sellerId", endpoint.types, endpoint.told_sequence as "fannedOutSequence",
      log.last_sequence as "lastSequence"
    from webhook_endpoints endpoint
    join event_sequences log on ${lookup("log.seller_id", "endpoint.seller_id")}
    where ${among} and endpoint.deleted_at is null and endpoint.told_sequence < log.last_sequence
    order by endpoint.id limit ${limit} for no key update of endpoint ${orSkip}`.execute(tx)
  return rows
}

export async function moveCursors(
  tx: Tx,
  cursors: readonly { id: string; fannedOutSequence: number }[],
): Promise<void> {
  await sql`
    update webhook_endpoints set told_sequence = moved.sequence
    from unnest(
      ${cursors.map(({ id }) => id)}::uuid[], ${cursors.map(({ fannedOutSequence }) => fannedOutSequence)}::bigint[]
    ) moved (id, sequence)
    where webhook_endpoints.id = moved.id`.execute(tx)
}

export interface EndpointHealth {
  id: string
  sellerId: string
  url: string
  isSlow: boolean
  failingSince: Date | null
  failuresInRow: number
  restUntil: Date | null
  lastProblem: WebhookProblem | null
  lastDeliveredAt: Date | null
  releaseBefore: Date | null
  confirmedAt: Date | null
}

/** Locks in the order of the ids, like the fan-out. */
export async function lockEndpoints(tx: Tx, ids: readonly string[]): Promise<EndpointHealth[]> {
  const { rows } = await prepared<EndpointHealth>("lock-webhook-endpoints")`
    select id, seller_id as "sellerId", url, is_slow as "isSlow", failing_since as "failingSince",
      failures_in_row as "failuresInRow", rest_until as "restUntil", last_problem as "lastProblem",
      last_delivered_at as "lastDeliveredAt", release_before as "releaseBefore", confirmed_at as "confirmedAt"
    from webhook_endpoints where id = any(${uuidList(ids)}) and deleted_at is null
    order by id for no key update`.execute(tx)
  return rows
}

type HealthColumn =
  | "is_slow"
  | "failing_since"
  | "failures_in_row"
  | "rest_until"
  | "last_problem"
  | "last_delivered_at"
  | "release_before"
  | "confirmed_at"

const healths = rowsOf<EndpointHealth, Pick<NewRow<"webhook_endpoints">, "id" | HealthColumn>>("given", {
  id: uuid(({ id }) => id),
  is_slow: boolean(({ isSlow }) => isSlow),
  failing_since: timestamptz(({ failingSince }) => failingSince),
  failures_in_row: integer(({ failuresInRow }) => failuresInRow),
  rest_until: timestamptz(({ restUntil }) => restUntil),
  last_problem: text(({ lastProblem }) => lastProblem),
  last_delivered_at: timestamptz(({ lastDeliveredAt }) => lastDeliveredAt),
  release_before: timestamptz(({ releaseBefore }) => releaseBefore),
  confirmed_at: timestamptz(({ confirmedAt }) => confirmedAt),
})

/** The caller must have locked them. */
export async function saveHealths(tx: Tx, endpoints: readonly EndpointHealth[]): Promise<void> {
  if (endpoints.length === 0) return
  await prepared("save-webhook-healths")`
    update webhook_endpoints
    set is_slow = given.is_slow, failing_since = given.failing_since, failures_in_row = given.failures_in_row,
      rest_until = given.rest_until, last_problem = given.last_problem, last_delivered_at = given.last_delivered_at,
      release_before = given.release_before, confirmed_at = given.confirmed_at
    from ${healths.of(endpoints)}
    where webhook_endpoints.id = given.id`.execute(tx)
}

/** A sending that somebody asks for doesn't wait until a dead endpoint has rested. */
export async function clearRest(tx: Tx, id: string): Promise<void> {
  await tx.updateTable("webhook_endpoints").set({ rest_until: null }).where("id", "=", id).execute()
}

/** The one that has waited longest, so that one which recovers again and again stands before nobody. */
export async function findToRelease(db: Db): Promise<{ id: string; before: Date } | undefined> {
  const { rows } = await sql<{ id: string; before: Date }>`
    select id, release_before as before from webhook_endpoints
    where release_before is not null order by release_before limit 1`.execute(db)
  return rows[0]
}

/** Unless it recovered anew meanwhile. */
export async function endRelease(tx: Tx, { id, before }: { id: string; before: Date }): Promise<void> {
  const endpoint = tx.updateTable("webhook_endpoints").set({ release_before: null }).where("id", "=", id)
  await endpoint.where("release_before", "=", before).execute()
}

/** Those without deliveries alone. */
export async function deleteEmptied(tx: Tx): Promise<void> {
  await sql`
    delete from webhook_endpoints endpoint
    where deleted_at is not null
      and not exists (select from webhook_deliveries where endpoint_id = endpoint.id)`.execute(tx)
}

export async function eraseEndpointsOf(tx: Tx, sellerId: string, at: Date): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set({ ...noFormer, key_id: null, sealed_secret: null, release_before: null, deleted_at: at, url: "" })
    .where("seller_id", "=", sellerId)
    .where("deleted_at", "is", null)
    .execute()
}

interface Outage {
  endpointId: string
  sellerId: string
  url: string
  since: Date
  problem: WebhookProblem
}

/** Outages since that moment or longer, and addresses that are gone, of which nobody was told, noted as told. */
export async function markOutagesNotified(tx: Tx, { since, limit }: { since: Date; limit: number }): Promise<Outage[]> {
  const { rows } = await sql<Outage>`
    update webhook_endpoints set told_failing_since = failing_since
    where id in (
      select id from webhook_endpoints
      where deleted_at is null and (failing_since <= ${since} or last_problem = 'gone' and failing_since is not null)
        and told_failing_since is distinct from failing_since
      order by id limit ${limit} for no key update skip locked
    )
    returning id as "endpointId", seller_id as "sellerId", url, failing_since as since, last_problem as problem`.execute(
    tx,
  )
  return rows
}

interface Asking {
  now: Date
  /** The last try of the oldest delivery. */
  triedBefore: Date
}

/** Makes the oldest delivery due of each failing endpoint that has none queued. */
export function queueOldestOfSilent({ now, triedBefore }: Asking): OneStatement<void> {
  return oneStatement(
    prepared("queue-oldest-of-silent-webhooks")`
    with silent as materialized (
      select oldest.id from webhook_endpoints endpoint
      cross join lateral (
        select id, attempted_at from webhook_deliveries
        where endpoint_id = endpoint.id and delivered_at is null order by sequence limit 1
      ) oldest
      where endpoint.deleted_at is null and endpoint.failing_since <= ${triedBefore}
        and oldest.attempted_at <= ${triedBefore}
        and not exists (
          select from webhook_deliveries queued
          where queued.endpoint_id = endpoint.id and queued.next_attempt_at is not null
        )
    )
    update webhook_deliveries set next_attempt_at = ${now}
    where id in (
      select delivery.id from webhook_deliveries delivery join silent on silent.id = delivery.id
      where delivery.next_attempt_at is null and delivery.delivered_at is null
      for update of delivery skip locked
    )`,
    () => undefined,
  )
}

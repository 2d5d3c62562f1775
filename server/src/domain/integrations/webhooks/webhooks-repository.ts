import type { EventType } from "@tilinta/contract/vocabulary/event-types"
import { sql } from "kysely"
import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"
import type { OwnWebhook, Webhook } from "./webhook.ts"

const columns = [
  "id",
  "seller_id as sellerId",
  "url",
  "types",
  "created_at as createdAt",
  "failing_since as failingSince",
  "last_problem as lastProblem",
  "last_delivered_at as lastDeliveredAt",
  "former_secret_until as formerSecretUntil",
] as const

/** Serialises creations of one seller, so that concurrent ones count like sequential ones. */
export async function lockWebhooksOf(tx: Tx, sellerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks:${sellerId}`}, 0))`.execute(tx)
}

/** Begins after the seller's last event: a new endpoint hears of what happens from now on. */
export async function insertWebhook(tx: Tx, webhook: Webhook, secret: string): Promise<void> {
  await tx
    .insertInto("webhook_endpoints")
    .values((row) => ({
      id: webhook.id,
      seller_id: webhook.sellerId,
      url: webhook.url,
      types: webhook.types,
      secret,
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
  { id, url, types }: { id: string; url: string; types: EventType[] },
): Promise<void> {
  await tx.updateTable("webhook_endpoints").set({ url, types }).where("id", "=", id).execute()
}

/** Another address begins anew: what waits is sent to it, and it is not called failing for the former one. */
export async function releaseForNewUrl(tx: Tx, id: string, before: Date): Promise<void> {
  const fresh = { failing_since: null, failures_in_row: 0, rest_until: null, is_slow: false, last_problem: null }
  await tx
    .updateTable("webhook_endpoints")
    .set({ ...fresh, release_before: before })
    .where("id", "=", id)
    .execute()
}

export async function setSecret(tx: Tx, id: string, secret: string, formerSecretUntil: Date): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set((row) => ({ former_secret: row.ref("secret"), former_secret_until: formerSecretUntil, secret }))
    .where("id", "=", id)
    .execute()
}

/** The secret is erased, since nothing is signed with it any more. */
export async function markDeleted(tx: Tx, id: string, at: Date): Promise<void> {
  const erased = { secret: "", former_secret: null, former_secret_until: null, release_before: null }
  await tx
    .updateTable("webhook_endpoints")
    .set({ ...erased, deleted_at: at })
    .where("id", "=", id)
    .execute()
}

export interface Signer {
  url: string
  secret: string
  formerSecret: string | null
  formerSecretUntil: Date | null
}

export async function findSigner(db: Db, { id, sellerId }: OwnWebhook): Promise<Signer | undefined> {
  return db
    .selectFrom("webhook_endpoints")
    .select(["url", "secret", "former_secret as formerSecret", "former_secret_until as formerSecretUntil"])
    .where("id", "=", id)
    .where("seller_id", "=", sellerId)
    .where("deleted_at", "is", null)
    .executeTakeFirst()
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
  toldSequence: number
  lastSequence: number
}

/**
 * Endpoints whose seller's log goes beyond their cursor. Waits for one that is being changed, in the order in which
 * outcomes lock them too, so that no event waits for the next run.
 */
export async function lockBehind(tx: Tx, limit: number): Promise<BehindEndpoint[]> {
  const { rows } = await sql<BehindEndpoint>`
    select endpoint.id, endpoint.seller_id as "sellerId", endpoint.types, endpoint.told_sequence as "toldSequence",
      log.last_sequence as "lastSequence"
    from webhook_endpoints endpoint
    join event_sequences log on log.seller_id = endpoint.seller_id
    where endpoint.deleted_at is null and endpoint.told_sequence < log.last_sequence
    order by endpoint.id limit ${limit} for no key update of endpoint`.execute(tx)
  return rows
}

export async function moveCursors(tx: Tx, cursors: readonly { id: string; toldSequence: number }[]): Promise<void> {
  await sql`
    update webhook_endpoints set told_sequence = moved.sequence
    from unnest(
      ${cursors.map(({ id }) => id)}::uuid[], ${cursors.map(({ toldSequence }) => toldSequence)}::bigint[]
    ) moved (id, sequence)
    where webhook_endpoints.id = moved.id`.execute(tx)
}

/** Locks in the order of the ids, like the fan-out. */
export async function lockEndpoints(tx: Tx, ids: readonly string[]): Promise<LockedEndpoint[]> {
  const { rows } = await sql<LockedEndpoint>`
    select id, seller_id as "sellerId", url, failing_since as "failingSince", failures_in_row as "failuresInRow"
    from webhook_endpoints where id = any(${ids}::uuid[]) and deleted_at is null
    order by id for no key update`.execute(tx)
  return rows
}

export interface LockedEndpoint {
  id: string
  sellerId: string
  url: string
  failingSince: Date | null
  failuresInRow: number
}

export async function markAnswering(
  tx: Tx,
  { id, at, isSlow, releaseBefore }: { id: string; at: Date; isSlow: boolean; releaseBefore: Date | null },
): Promise<void> {
  const answering = { failing_since: null, failures_in_row: 0, rest_until: null, last_problem: null }
  await tx
    .updateTable("webhook_endpoints")
    .set({
      ...answering,
      is_slow: isSlow,
      last_delivered_at: at,
      ...(releaseBefore && { release_before: releaseBefore }),
    })
    .where("id", "=", id)
    .execute()
}

type Failing = Required<
  Pick<NewRow<"webhook_endpoints">, "failing_since" | "failures_in_row" | "rest_until" | "last_problem">
>

export async function markFailing(tx: Tx, id: string, failing: Failing): Promise<void> {
  await tx.updateTable("webhook_endpoints").set(failing).where("id", "=", id).execute()
}

/** A sending that somebody asks for doesn't wait until a dead endpoint has rested. */
export async function clearRest(tx: Tx, id: string): Promise<void> {
  await tx.updateTable("webhook_endpoints").set({ rest_until: null }).where("id", "=", id).execute()
}

export async function findToRelease(db: Db): Promise<{ id: string; before: Date }[]> {
  const { rows } = await sql<{ id: string; before: Date }>`
    select id, release_before as before from webhook_endpoints
    where release_before is not null order by id limit 100`.execute(db)
  return rows
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

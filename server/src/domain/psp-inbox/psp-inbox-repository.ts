import { sql } from "kysely"
import { arrayLiteral } from "#db/array-literal"
import type { Db, Tx } from "#db/transaction"
import type { ContactNews } from "#psp/psp"

export interface InboxMessage {
  id: number
  body: Buffer
  attempts: number
}

interface Arrived {
  provider: string
  bodies: readonly Buffer[]
  now: Date
  /** So many of them, the first, are claimed at once for who stores them. */
  claimed: number
  claimedUntil: Date
}

/**
 * Answers their ids in their order. By our clock, as the claiming is: the database's own may be ahead, and the message
 * would wait for it. The bodies go as one, because the driver would write each of many as text.
 */
export async function insertInboxMessages(tx: Tx, arrived: Arrived): Promise<number[]> {
  const { provider, bodies, now, claimed, claimedUntil } = arrived
  const lengths = bodies.map(({ length }) => length)
  let end = 1
  const starts = lengths.map((length) => (end += length) - length)
  const { rows } = await sql<{ id: number }>`/* prepared insert-inbox-messages */
    insert into psp_inbox (provider, body, received_at, next_attempt_at, attempts)
    select ${provider}::text, substring(${Buffer.concat(bodies)}::bytea from start for length), ${now}::timestamptz,
      case when at <= ${claimed}::int then ${claimedUntil}::timestamptz else ${now}::timestamptz end,
      case when at <= ${claimed}::int then 1 else 0 end
    from unnest(${arrayLiteral(starts)}::int[], ${arrayLiteral(lengths)}::int[])
      with ordinality as arrived (start, length, at)
    order by at
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

interface Claim {
  provider: string
  now: Date
  /** Who dies gives them back by itself, then. */
  until: Date
  limit: number
}

export async function claimInboxMessages(tx: Tx, { provider, now, until, limit }: Claim): Promise<InboxMessage[]> {
  const { rows } = await sql<InboxMessage>`
    update psp_inbox set attempts = attempts + 1, next_attempt_at = ${until}
    where id in (
      select id from psp_inbox
      where processed_at is null and provider = ${provider} and next_attempt_at <= ${now}
      order by next_attempt_at, id limit ${limit} for update skip locked
    ) returning id, body, attempts`.execute(tx)
  return rows
}

/** Nobody waits for the disk: a mark that is lost in a crash costs a question, and books nothing twice. */
export async function markInboxProcessed(tx: Tx, ids: number[], now: Date, note: string | null): Promise<void> {
  await sql`set local synchronous_commit to off`.execute(tx)
  await sql`/* prepared mark-inbox-processed */
    update psp_inbox set processed_at = ${now}::timestamptz, last_error = ${note}::text
    where id = any(${arrayLiteral(ids)}::bigint[])`.execute(tx)
}

export async function postponeInboxMessages(tx: Tx, ids: number[], until: Date, error: string): Promise<void> {
  await sql`
    update psp_inbox set next_attempt_at = ${until}, last_error = ${error} where id = any(${ids}::bigint[])`.execute(tx)
}

/** Those that nobody has begun with: who stops gives them to whoever comes. */
export async function releaseInboxMessages(tx: Tx, ids: number[], now: Date): Promise<void> {
  await sql`
    update psp_inbox set next_attempt_at = ${now}, attempts = attempts - 1
    where id = any(${ids}::bigint[]) and processed_at is null`.execute(tx)
}

export async function findConnection(db: Db, provider: string) {
  return db.selectFrom("psp_connections").selectAll().where("provider", "=", provider).executeTakeFirst()
}

export async function insertConnectionOnce(
  tx: Tx,
  connection: { provider: string; webhookSecret: string; receiptsSeenUntil: Date },
): Promise<void> {
  await tx
    .insertInto("psp_connections")
    .values({
      provider: connection.provider,
      webhook_secret: connection.webhookSecret,
      receipts_seen_until: connection.receiptsSeenUntil,
      last_contact_at: null,
      last_webhook_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function updateReceiptsSeenUntil(tx: Tx, provider: string, until: Date): Promise<void> {
  await tx
    .updateTable("psp_connections")
    .set({ receipts_seen_until: until, last_contact_at: until })
    .where("provider", "=", provider)
    .where("receipts_seen_until", "<", until)
    .execute()
}

export async function updatePayoutsSeenUntil(tx: Tx, provider: string, until: Date): Promise<void> {
  await tx
    .updateTable("psp_connections")
    .set({ payouts_seen_until: until, last_contact_at: until })
    .where("provider", "=", provider)
    .where("payouts_seen_until", "<", until)
    .execute()
}

/** In portions, so that no run takes long. */
export async function deleteProcessedBefore(tx: Tx, moment: Date): Promise<void> {
  await sql`
    delete from psp_inbox where id in (
      select id from psp_inbox where processed_at < ${moment} order by id limit 10000
    )`.execute(tx)
}

export async function updateContact(tx: Tx, provider: string, news: ContactNews): Promise<void> {
  const { at = null, call = null, message = null } = news.lastFailure ?? {}
  await sql`
    update psp_connections set
      last_contact_at = greatest(last_contact_at, ${news.lastContactAt}::timestamptz),
      last_webhook_at = greatest(last_webhook_at, ${news.lastWebhookAt}::timestamptz),
      webhook_registered_at = greatest(webhook_registered_at, ${news.webhookRegisteredAt}::timestamptz),
      last_failure_call = case when ${at}::timestamptz >= coalesce(last_failure_at, '-infinity')
        then ${call} else last_failure_call end,
      last_failure = case when ${at}::timestamptz >= coalesce(last_failure_at, '-infinity')
        then ${message} else last_failure end,
      last_failure_at = greatest(last_failure_at, ${at}::timestamptz)
    where provider = ${provider}`.execute(tx)
}

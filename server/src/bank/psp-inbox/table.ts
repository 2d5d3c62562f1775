import { sql } from "kysely"
import { prepared } from "#db/prepared"
import { bigintList, integerList, type NewRow } from "#db/rows-of"
import { type OneStatement, oneStatement, type Tx } from "#db/transaction"
import type { RecentContacts } from "#psp/psp"
import { type WaitingMessage, waitingColumns } from "./reads.ts"
import { packBodies, unpackBodies } from "./rules.ts"

/** Undefined when it doesn't exist or no longer waits. */
export async function lockWaitingMessage(tx: Tx, id: number): Promise<WaitingMessage | undefined> {
  return tx
    .selectFrom("psp_inbox")
    .select(waitingColumns)
    .where("id", "=", id)
    .where("processed_at", "is", null)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateNextAttempt(tx: Tx, id: number, nextAttemptAt: Date): Promise<void> {
  await tx.updateTable("psp_inbox").set({ next_attempt_at: nextAttemptAt }).where("id", "=", id).execute()
}

/** Webhooks that arrived together, stored in one row. */
export interface InboxBundle {
  id: number
  bodies: readonly Buffer[]
  attempts: number
}

interface Arrived {
  provider: string
  bodies: readonly Buffer[]
  now: Date
  /** Null when it is stored unclaimed. */
  claimedUntil: Date | null
}

/**
 * Returns its id. Dated by our clock, like claims: the database's may be ahead, and the bundle would have to wait. The
 * bodies are sent as one, packed: the driver would write each of many as text, and they would be the longest record that
 * a payment leaves in the database's log.
 */
export function insertInboxBundle({ provider, bodies, now, claimedUntil }: Arrived): OneStatement<number> {
  return oneStatement(
    prepared<{ id: number }>("insert-inbox-bundle")`
    insert into psp_inbox (provider, body, lengths, received_at, next_attempt_at, attempts)
    values (${provider}, ${packBodies(bodies)}, ${integerList(bodies.map(({ length }) => length))},
      ${now}, ${claimedUntil ?? now}, ${claimedUntil === null ? 0 : 1})
    returning id`,
    ([row]) => row?.id ?? 0,
  )
}

interface Claim {
  provider: string
  now: Date
  /** The claim of a process that dies expires then. */
  until: Date
  rows: number
  messages: number
}

export async function claimInboxBundles(tx: Tx, claim: Claim): Promise<InboxBundle[]> {
  const { provider, now, until } = claim
  const { rows } = await sql<{ id: number; body: Buffer; lengths: number[]; attempts: number }>`
    with due as (
      select id, next_attempt_at, cardinality(lengths) as messages from psp_inbox
      where processed_at is null and provider = ${provider} and next_attempt_at <= ${now}
      order by next_attempt_at, id limit ${claim.rows} for update skip locked
    ), counted as (
      select id, sum(messages) over (order by next_attempt_at, id) - messages as before_it from due
    )
    update psp_inbox set attempts = attempts + 1, next_attempt_at = ${until}
    where id in (select id from counted where before_it < ${claim.messages})
    returning id, body, lengths, attempts`.execute(tx)
  return rows.map(({ id, body, lengths, attempts }) => ({ id, attempts, bodies: unpackBodies(body, lengths) }))
}

/** Skips the wait for the disk: a mark lost in a crash only causes a repeated query, and books nothing twice. */
export function markInboxProcessed(ids: number[], now: Date, note: string | null): OneStatement<void> {
  return oneStatement(
    prepared("mark-inbox-processed")`
    with hurried as materialized (select set_config('synchronous_commit', 'off', true))
    update psp_inbox set processed_at = ${now}::timestamptz, last_error = ${note}::text from hurried
    where id = any(${bigintList(ids)})`,
    () => undefined,
  )
}

interface Again {
  at: Date
  attempts: number
  error: string | null
}

/** Has no effect once the claim has expired: the bundle may be claimed by another node. */
export async function postponeInboxBundle(tx: Tx, id: number, claimedUntil: Date, again: Again): Promise<void> {
  await sql`
    update psp_inbox set next_attempt_at = ${again.at}, attempts = ${again.attempts},
      last_error = coalesce(${again.error}, last_error)
    where id = ${id} and processed_at is null and next_attempt_at = ${claimedUntil}`.execute(tx)
}

/** Marks the bundle as processed and stores its open messages in a new row, exactly once. */
export async function replaceInboxBundle(
  tx: Tx,
  { id, open, now, again }: { id: number; open: readonly Buffer[]; now: Date; again: Again },
): Promise<void> {
  await sql`
    with done as (
      update psp_inbox set processed_at = ${now} where id = ${id} and processed_at is null
      returning provider, received_at
    )
    insert into psp_inbox (provider, body, lengths, received_at, next_attempt_at, attempts, last_error)
    select provider, ${packBodies(open)}, ${integerList(open.map(({ length }) => length))}, received_at,
      ${again.at}, ${again.attempts}, ${again.error} from done`.execute(tx)
}

type LastFailure = "last_failure_at" | "last_failure_call" | "last_failure"

export async function insertConnectionOnce(
  tx: Tx,
  connection: { provider: string; webhookSecret: string; connectedAt: Date; receiptsSeenUntil: Date },
): Promise<void> {
  await tx
    .insertInto("psp_connections")
    .values({
      provider: connection.provider,
      webhook_secret: connection.webhookSecret,
      connected_at: connection.connectedAt,
      receipts_seen_until: connection.receiptsSeenUntil,
      last_contact_at: null,
      last_webhook_at: null,
    } satisfies NewRow<
      "psp_connections",
      "payouts_seen_until" | "webhook_registered_at" | "is_connected" | "stamps_missing_hours" | LastFailure
    >)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function updateConnected(tx: Tx, providers: readonly string[]): Promise<void> {
  await sql`
    update psp_connections set is_connected = provider = any(${providers}::text[])
    where is_connected <> (provider = any(${providers}::text[]))`.execute(tx)
}

export async function updateStampOffset(tx: Tx, provider: string, hours: number): Promise<void> {
  await sql`
    update psp_connections set stamps_missing_hours = ${hours}
    where provider = ${provider} and stamps_missing_hours <> ${hours}`.execute(tx)
}

interface SeenUntil {
  provider: string
  until: Date
  /** A stored moment after this one was written by a clock that was ahead, and is replaced. */
  believableUntil: Date
}

/** Moves forward only, except away from a moment that nobody can have seen yet. */
export async function updateReceiptsSeenUntil(tx: Tx, { provider, until, believableUntil }: SeenUntil): Promise<void> {
  await sql`
    update psp_connections set receipts_seen_until = ${until}, last_contact_at = greatest(last_contact_at, ${until})
    where provider = ${provider} and (receipts_seen_until < ${until} or receipts_seen_until > ${believableUntil})`.execute(
    tx,
  )
}

export async function updatePayoutsSeenUntil(tx: Tx, { provider, until, believableUntil }: SeenUntil): Promise<void> {
  await sql`
    update psp_connections set payouts_seen_until = ${until}, last_contact_at = greatest(last_contact_at, ${until})
    where provider = ${provider} and (payouts_seen_until < ${until} or payouts_seen_until > ${believableUntil})`.execute(
    tx,
  )
}

/** Makes waiting webhooks due again that a clock which was ahead postponed beyond every pause. */
export async function pullBackInboxBundles(tx: Tx, now: Date, longestPauseEnds: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update psp_inbox set next_attempt_at = ${now}
    where processed_at is null and next_attempt_at > ${longestPauseEnds}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Deletes in batches, so that no run takes long. */
export async function deleteProcessedBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from psp_inbox where id in (
      select id from psp_inbox where processed_at < ${moment} order by processed_at limit ${limit} for update skip locked
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Moments that a clock which was ahead has stored don't count, so that they can't hide later contacts. */
export async function updateContact(tx: Tx, provider: string, contacts: RecentContacts): Promise<void> {
  const { at = null, call = null, message = null } = contacts.lastFailure ?? {}
  const believable = (column: string) => sql`case when ${sql.ref(column)} <= now() then ${sql.ref(column)} end`
  const isNewest = sql`${at}::timestamptz >= coalesce(${believable("last_failure_at")}, '-infinity')`
  await sql`
    update psp_connections set
      last_contact_at = greatest(${believable("last_contact_at")}, ${contacts.lastContactAt}::timestamptz),
      last_webhook_at = greatest(${believable("last_webhook_at")}, ${contacts.lastWebhookAt}::timestamptz),
      webhook_registered_at = greatest(${believable("webhook_registered_at")}, ${contacts.webhookRegisteredAt}::timestamptz),
      last_failure_call = case when ${isNewest} then ${call} else last_failure_call end,
      last_failure = case when ${isNewest} then ${message} else last_failure end,
      last_failure_at = greatest(${believable("last_failure_at")}, ${at}::timestamptz)
    where provider = ${provider}`.execute(tx)
}

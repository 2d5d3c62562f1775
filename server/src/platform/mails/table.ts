import { sql } from "kysely"
import { prepared } from "#db/prepared"
import { integer, jsonb, type NewRow, rowsOf, text, uuid } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import { holdsSecret, type MailContent } from "./mail-content.ts"

interface QueuedMail {
  id: string
  userId: string
  to?: string
  content: MailContent
  notMe?: string
  dedupeKey: string
  lifetimeSeconds: number
}

type Unsent = "attempts" | "sent_at" | "given_up_at" | "last_error"
type Timed = "created_at" | "send_after" | "give_up_at"

const newMails = rowsOf<QueuedMail, NewRow<"mails", Unsent | Timed> & { lifetime_seconds: number }>("given", {
  id: uuid(({ id }) => id),
  user_id: uuid(({ userId }) => userId),
  to_address: text(({ to }) => to ?? null),
  content: jsonb(({ content, notMe }) => JSON.stringify({ ...content, notMe })),
  dedupe_key: text(({ dedupeKey }) => dedupeKey),
  lifetime_seconds: integer(({ lifetimeSeconds }) => lifetimeSeconds),
})

/**
 * One statement for any number of mails. Sellers who want no mail for each payment get none, and to an address that
 * nobody confirmed goes nothing but the link that confirms it.
 */
export async function insertMailsOnce(tx: Tx, mails: QueuedMail[], now: Date): Promise<void> {
  await prepared("insert-mails-once")`
    insert into mails (id, user_id, to_address, content, dedupe_key, created_at, send_after, give_up_at)
    select id, user_id, to_address, content, dedupe_key, ${now}, ${now},
      ${now}::timestamptz + make_interval(secs => lifetime_seconds)
    from ${newMails.of(mails)}
    where (select (content ->> 'kind' <> 'payment_received' or payment_mails = 'each')
        and (content ->> 'kind' = 'confirm_email' or to_address is not null or email_state <> 'unconfirmed')
      from users where users.id = given.user_id)
    on conflict (dedupe_key) do nothing`.execute(tx)
}

export async function findSentAt(db: Db, dedupeKey: string): Promise<Date | null> {
  const row = await db.selectFrom("mails").select("sent_at").where("dedupe_key", "=", dedupeKey).executeTakeFirst()
  return row?.sent_at ?? null
}

export interface ClaimedMail {
  id: string
  to: string
  name: string
  content: MailContent & { notMe?: string }
  attempts: number
  giveUpAt: Date
  /** Ends the mails about payments, in the links of these mails. */
  mailToken: string
}

export async function countDueRows(tx: Tx, { now, atMost }: { now: Date; atMost: number }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from mails where sent_at is null and given_up_at is null and send_after <= ${now} limit ${atMost}
    ) due`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Leases mails until `until`; a crash leaves them to the next claim. */
export async function claimMails(tx: Tx, { now, until, limit }: { now: Date; until: Date; limit: number }) {
  const { rows } = await sql<ClaimedMail>`
    update mails set attempts = attempts + 1, send_after = ${until}
    from users
    where users.id = mails.user_id and mails.id in (
      select id from mails
      where sent_at is null and given_up_at is null and send_after <= ${now}
      order by send_after limit ${limit} for update skip locked
    )
    returning mails.id, coalesce(mails.to_address, users.email) as "to",
      case when users.erased_at is null then users.name else '' end as name, mails.content, mails.attempts,
      mails.give_up_at as "giveUpAt", users.mail_token as "mailToken"`.execute(tx)
  return rows
}

export async function markMailsSent(tx: Tx, ids: string[], sentAt: Date): Promise<void> {
  await tx
    .updateTable("mails")
    .set({ sent_at: sentAt, to_address: null, content: "{}", last_error: null })
    .where("id", "in", ids)
    .execute()
}

export async function postponeMail(tx: Tx, id: string, { sendAfter, problem }: { sendAfter: Date; problem: string }) {
  await tx
    .updateTable("mails")
    .set({ send_after: sendAfter, last_error: problem })
    .where("id", "=", id)
    .where("sent_at", "is", null)
    .execute()
}

/** Keeps the mail for another attempt by an admin, without its tokens; of one that opens an account only the kind is kept. */
export async function giveMailUp(
  tx: Tx,
  { id, content: { kind } }: Pick<ClaimedMail, "id" | "content">,
  { givenUpAt, problem }: { givenUpAt: Date; problem: string },
) {
  const kept = holdsSecret(kind) ? sql<string>`${JSON.stringify({ kind })}::jsonb` : sql<string>`content - 'notMe'`
  await tx
    .updateTable("mails")
    .set({ given_up_at: givenUpAt, last_error: problem, content: kept })
    .where("id", "=", id)
    .where("sent_at", "is", null)
    .execute()
}

export async function deleteDoneMailsBefore(tx: Tx, moment: Date): Promise<void> {
  await tx
    .deleteFrom("mails")
    .where("created_at", "<", moment)
    .where((mail) => mail.or([mail("sent_at", "is not", null), mail("given_up_at", "is not", null)]))
    .execute()
}

/** By the indexes of mails that wait and of those given up: both are few. One that is being sent is the last. */
export async function deleteUnsentOf(tx: Tx, userId: string): Promise<void> {
  await sql`
    delete from mails where id in (
      select id from mails where sent_at is null and given_up_at is null and user_id = ${userId}
      union all
      select id from mails where given_up_at is not null and user_id = ${userId}
    )`.execute(tx)
}

/** Sent ones hold no content and no address any more. */
export async function deleteUnsentOfKeys(tx: Tx, dedupeKeys: readonly string[]): Promise<void> {
  if (dedupeKeys.length === 0) return
  await tx.deleteFrom("mails").where("dedupe_key", "in", dedupeKeys).where("sent_at", "is", null).execute()
}

export interface ProblemMail {
  id: string
  kind: MailContent["kind"] | null
  to: string
  createdAt: Date
  attempts: number
  lastError: string | null
  givenUpAt: Date | null
}

export interface MailState {
  waiting: number
  oldestAt: Date | null
  givenUp: number
  /** Mails waiting after a failure, then those given up, newest first. */
  problems: ProblemMail[]
}

const shownMails = 20

export async function readMails(db: Db, givenUpSince: Date): Promise<MailState> {
  const { rows } = await sql<{ waiting: number; oldestAt: Date | null }>`
    select count(*) as waiting, min(created_at) as "oldestAt" from mails
    where sent_at is null and given_up_at is null`.execute(db)
  const { rows: lost } = await sql<{ count: number }>`
    select count(*) as count from mails where given_up_at >= ${givenUpSince}`.execute(db)
  const { rows: problems } = await sql<ProblemMail>`
    (select ${problemColumns} from mails left join users on users.id = mails.user_id
      where sent_at is null and given_up_at is null and attempts > 0 and last_error is not null
      order by mails.created_at limit ${shownMails})
    union all
    (select ${problemColumns} from mails left join users on users.id = mails.user_id
      where given_up_at >= ${givenUpSince}
      order by given_up_at desc limit ${shownMails})`.execute(db)
  return { waiting: rows[0]?.waiting ?? 0, oldestAt: rows[0]?.oldestAt ?? null, givenUp: lost[0]?.count ?? 0, problems }
}

const problemColumns = sql`mails.id, mails.content ->> 'kind' as kind,
  coalesce(mails.to_address, users.email, '') as "to", mails.created_at as "createdAt", mails.attempts,
  mails.last_error as "lastError", mails.given_up_at as "givenUpAt"`

interface UnsentMail {
  content: Partial<MailContent>
  attempts: number
  lastError: string | null
  sendAfter: Date
  giveUpAt: Date
  givenUpAt: Date | null
}

/** Undefined when it doesn't exist or was already sent. */
export async function lockUnsentMail(tx: Tx, id: string): Promise<UnsentMail | undefined> {
  const row = await tx
    .selectFrom("mails")
    .select([
      "content",
      "attempts",
      "last_error as lastError",
      "send_after as sendAfter",
      "give_up_at as giveUpAt",
      "given_up_at as givenUpAt",
    ])
    .where("id", "=", id)
    .where("sent_at", "is", null)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, content: row.content as Partial<MailContent> }
}

export async function requeueMail(
  tx: Tx,
  id: string,
  { sendAfter, giveUpAt }: { sendAfter: Date; giveUpAt: Date },
): Promise<void> {
  await tx
    .updateTable("mails")
    .set({ send_after: sendAfter, give_up_at: giveUpAt, given_up_at: null })
    .where("id", "=", id)
    .execute()
}

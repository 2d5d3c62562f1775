import { sql } from "kysely"
import { prepared } from "#db/prepared"
import { integer, jsonb, type NewRow, rowsOf, text, textList, timestamptz, uuid } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { holdsSecret, lifetimeSecondsOf, type MailContent, type NewMail } from "./mail-content.ts"
import { type Notice, topicOf } from "./notice.ts"

type Unsent = "attempts" | "sent_at" | "given_up_at" | "last_error"
type Timed = "created_at" | "send_after" | "give_up_at"

const newMails = rowsOf<NewMail, NewRow<"mails", Unsent | Timed> & { lifetime_seconds: number }>("given", {
  id: uuid(() => newId()),
  user_id: uuid(({ userId }) => userId),
  to_address: text(({ to }) => to ?? null),
  content: jsonb(({ content, notMe }) => JSON.stringify({ ...content, notMe })),
  dedupe_key: text(({ dedupeKey }) => dedupeKey),
  lifetime_seconds: integer(({ content }) => lifetimeSecondsOf(content)),
})

/**
 * One statement for any number of mails. Sellers who want no mail for each payment get none, and to an address that
 * nobody confirmed goes nothing but the link that confirms it.
 */
export async function insertMailsOnce(tx: Tx, mails: readonly NewMail[], now: Date): Promise<void> {
  if (mails.length === 0) return
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

/** Leaves those that are being sent. Returns the keys of the deleted ones. */
export async function deleteWaitingOfKeys(tx: Tx, dedupeKeys: readonly string[], now: Date): Promise<string[]> {
  if (dedupeKeys.length === 0) return []
  const { rows } = await sql<{ key: string }>`
    delete from mails
    where dedupe_key = any(${textList(dedupeKeys)}) and sent_at is null and given_up_at is null and send_after <= ${now}
    returning dedupe_key as key`.execute(tx)
  return rows.map(({ key }) => key)
}

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

interface NewNotice {
  userId: string
  createdAt: Date
  notice: Notice
  dedupeKey: string
}

const newNotices = rowsOf<NewNotice, NewRow<"notices", "read_at">>("given", {
  id: uuid(() => newId()),
  user_id: uuid(({ userId }) => userId),
  told_at: timestamptz(({ createdAt }) => createdAt),
  topic: text(({ notice }) => topicOf(notice)),
  content: jsonb(({ notice }) => JSON.stringify(notice)),
  dedupe_key: text(({ dedupeKey }) => dedupeKey),
})

export async function insertNoticesOnce(tx: Tx, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return
  await prepared("insert-notices-once")`
    insert into notices (${newNotices.columns}) select * from ${newNotices.of(notices)}
    on conflict (user_id, dedupe_key) do nothing`.execute(tx)
}

/** Writes over the notices of the same subjects, which are unread again. Each subject once. */
export async function saveNotices(tx: Tx, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return
  await prepared("save-notices")`
    insert into notices (${newNotices.columns}) select * from ${newNotices.of(notices)}
    on conflict (user_id, dedupe_key) do update
    set told_at = excluded.told_at, topic = excluded.topic, content = excluded.content, read_at = null`.execute(tx)
}

/** Marks the user's own notices only: those named, or all without names. One that is being written over stays unread. */
export async function markRowsRead(
  tx: Tx,
  { userId, ids }: { userId: string; ids: readonly string[] | null },
  now: Date,
): Promise<void> {
  await sql`
    update notices set read_at = ${now}
    where id in (
      select id from notices
      where user_id = ${userId} and read_at is null and ${ids === null ? sql`true` : sql`id = any(${ids}::uuid[])`}
      for update skip locked
    )`.execute(tx)
}

export interface NoticeKey {
  userId: string
  key: string
}

const noticeKeys = rowsOf<NoticeKey, { user_id: string; dedupe_key: string }>("given", {
  user_id: uuid(({ userId }) => userId),
  dedupe_key: text(({ key }) => key),
})

export async function deleteNoticesOfKeys(tx: Tx, keys: readonly NoticeKey[]): Promise<void> {
  if (keys.length === 0) return
  await prepared("delete-notices-of-keys")`
    delete from notices using ${noticeKeys.of(keys)}
    where notices.user_id = given.user_id and notices.dedupe_key = given.dedupe_key`.execute(tx)
}

export async function deleteNoticesBefore(tx: Tx, moment: Date): Promise<void> {
  await tx.deleteFrom("notices").where("told_at", "<", moment).execute()
}

export async function deleteNoticesOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("notices").where("user_id", "=", userId).execute()
}

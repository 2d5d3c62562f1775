import type { NoticeTopic } from "@tilinta/contract/vocabulary/mails"
import { sql } from "kysely"
import { comesAfter } from "#db/list-range"
import { prepared } from "#db/prepared"
import { textList, uuidList } from "#db/rows-of"
import type { Db } from "#db/transaction"
import type { MailContent } from "./mail-content.ts"
import type { Notice } from "./notice.ts"

/** When the mail was sent. Null when it waits, was given up or was tidied away. */
export async function findMailSentAt(db: Db, dedupeKey: string): Promise<Date | null> {
  const row = await db.selectFrom("mails").select("sent_at").where("dedupe_key", "=", dedupeKey).executeTakeFirst()
  return row?.sent_at ?? null
}

interface MailOutcome {
  sentAt: Date | null
  givenUpAt: Date | null
}

/** Nothing of mails that were withdrawn or tidied away. */
export async function findMailOutcomes(db: Db, dedupeKeys: readonly string[]): Promise<Map<string, MailOutcome>> {
  const { rows } = await sql<MailOutcome & { key: string }>`
    select dedupe_key as key, sent_at as "sentAt", given_up_at as "givenUpAt" from mails
    where dedupe_key = any(${textList(dedupeKeys)})`.execute(db)
  return new Map(rows.map(({ key, ...outcome }) => [key, outcome]))
}

/** Mails that could be sent now, counted up to `atMost`. */
export async function countDueMails(db: Db, { now, atMost }: { now: Date; atMost: number }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from mails where sent_at is null and given_up_at is null and send_after <= ${now} limit ${atMost}
    ) due`.execute(db)
  return rows[0]?.count ?? 0
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
  return {
    waiting: rows[0]?.waiting ?? 0,
    oldestAt: rows[0]?.oldestAt ?? null,
    givenUp: lost[0]?.count ?? 0,
    problems,
  }
}

const problemColumns = sql`mails.id, mails.content ->> 'kind' as kind,
  coalesce(mails.to_address, users.email, '') as "to", mails.created_at as "createdAt", mails.attempts,
  mails.last_error as "lastError", mails.given_up_at as "givenUpAt"`

export interface StoredNotice {
  id: string
  told_at: Date
  read_at: Date | null
  content: Notice
}

export interface NoticesRange {
  limit: number
  after?: string | undefined
  /** All without it. */
  topic?: NoticeTopic | undefined
}

export async function listNoticeRows(
  db: Db,
  userId: string,
  { limit, after, topic }: NoticesRange,
): Promise<StoredNotice[]> {
  const position = after === undefined ? sql`true` : comesAfter("notices", "notice", after)
  const { rows } = await sql<StoredNotice>`
    select id, told_at, read_at, content from notices notice
    where user_id = ${userId} and ${topic === undefined ? sql`true` : sql`topic = ${topic}`} and ${position}
    order by told_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

export async function countUnreadRows(db: Db, userId: string, topic: NoticeTopic, atMost: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from notices where user_id = ${userId} and topic = ${topic} and read_at is null limit ${atMost}
    ) unread`.execute(db)
  return rows[0]?.count ?? 0
}

interface KeyedNotice {
  userId: string
  key: string
  notice: Notice
}

/** The notices of any of these users under any of these keys. */
export async function findNoticesOfKeys(
  db: Db,
  { userIds, keys }: { userIds: readonly string[]; keys: readonly string[] },
): Promise<KeyedNotice[]> {
  const { rows } = await prepared<KeyedNotice>("find-notices-of-keys")`
    select user_id as "userId", dedupe_key as key, content as notice from notices
    where user_id = any(${uuidList(userIds)}) and dedupe_key = any(${textList(keys)})`.execute(db)
  return rows
}

export async function findActiveAdmins(db: Db): Promise<string[]> {
  const admins = db.selectFrom("users").select("id").where("role", "=", "admin").where("active", "=", true)
  return (await admins.execute()).map(({ id }) => id)
}

export async function findUserName(db: Db, id: string): Promise<string> {
  const user = await db.selectFrom("users").select("name").where("id", "=", id).executeTakeFirst()
  return user?.name ?? ""
}

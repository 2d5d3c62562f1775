import { sql } from "kysely"
import type { Db, Tx } from "#db/transaction"
import type { MailContent } from "./mail-content.ts"

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

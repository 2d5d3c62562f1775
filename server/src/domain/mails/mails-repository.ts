import { sql } from "kysely"
import type { Tx } from "#db/transaction"
import type { MailContent } from "./mail-content.ts"

interface QueuedMail {
  id: string
  userId: string
  content: MailContent
  dedupeKey: string
  createdAt: Date
  giveUpAt: Date
}

/** One statement however many there are: bookings write by the hundred. */
export async function insertMailsOnce(tx: Tx, mails: QueuedMail[]): Promise<void> {
  await sql`
    insert into mails (id, user_id, content, dedupe_key, created_at, send_after, give_up_at)
    select id, user_id, content, dedupe_key, created_at, created_at, give_up_at
    from unnest(
      ${mails.map(({ id }) => id)}::uuid[],
      ${mails.map(({ userId }) => userId)}::uuid[],
      ${mails.map(({ content }) => JSON.stringify(content))}::jsonb[],
      ${mails.map(({ dedupeKey }) => dedupeKey)}::text[],
      ${mails.map(({ createdAt }) => createdAt)}::timestamptz[],
      ${mails.map(({ giveUpAt }) => giveUpAt)}::timestamptz[]
    ) as given (id, user_id, content, dedupe_key, created_at, give_up_at)
    on conflict (dedupe_key) do nothing`.execute(tx)
}

export interface ClaimedMail {
  id: string
  to: string
  name: string
  content: MailContent
  attempts: number
  giveUpAt: Date
}

/** Nobody else takes them before `until`, and whoever dies meanwhile leaves them to the next. */
export async function claimMails(tx: Tx, { now, until, limit }: { now: Date; until: Date; limit: number }) {
  const { rows } = await sql<ClaimedMail>`
    update mails set attempts = attempts + 1, send_after = ${until}
    from users
    where users.id = mails.user_id and mails.id in (
      select id from mails
      where sent_at is null and given_up_at is null and send_after <= ${now}
      order by send_after limit ${limit} for update skip locked
    )
    returning mails.id, users.email as "to", users.name, mails.content, mails.attempts,
      mails.give_up_at as "giveUpAt"`.execute(tx)
  return rows
}

export async function markMailsSent(tx: Tx, ids: string[], sentAt: Date): Promise<void> {
  await tx
    .updateTable("mails")
    .set({ sent_at: sentAt, content: "{}", last_error: null })
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

export async function giveMailUp(tx: Tx, id: string, { givenUpAt, problem }: { givenUpAt: Date; problem: string }) {
  await tx
    .updateTable("mails")
    .set({ given_up_at: givenUpAt, content: "{}", last_error: problem })
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

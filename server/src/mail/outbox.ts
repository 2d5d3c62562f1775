import type { NewRow } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import { type Clock } from "#kit/clock"
import type { Mailer, OutgoingMail } from "./mailer.ts"

/** The sandbox has no mail server: mails are stored, and shown on a page. */
export function createOutboxMailer({ db, clock }: { db: Db; clock: Clock }): Mailer {
  return {
    async send(mails) {
      const sentAt = clock.now()
      await db.transaction().execute((tx) => insertOutboxMailsOnce(tx, mails, sentAt))
      return mails.map(() => ({ isSent: true }))
    },
    stop: async () => undefined,
  }
}

const MOST_LISTED = 200
const PAGE_SIZE = 50

/** Newest first; everybody's mails when no address is given. */
export async function listOutbox(db: Db, to: string | null): Promise<OutboxMail[]> {
  return findOutboxMails(db, { to, after: null, limit: MOST_LISTED })
}

interface OutboxPage {
  mails: OutboxMail[]
  /** The mail after which the next page begins, null on the last page. */
  next: string | null
}

/** One page of the outbox, newest first. */
export async function listOutboxPage(db: Db, to: string | null, after: string | null): Promise<OutboxPage> {
  const found = await findOutboxMails(db, { to, after, limit: PAGE_SIZE + 1 })
  const mails = found.slice(0, PAGE_SIZE)
  return { mails, next: found.length > PAGE_SIZE ? (mails.at(-1)?.id ?? null) : null }
}

export interface OutboxMail {
  id: string
  to: string
  subject: string
  text: string
  html: string
  sentAt: Date
}

async function insertOutboxMailsOnce(tx: Tx, mails: OutgoingMail[], sentAt: Date): Promise<void> {
  if (mails.length === 0) return
  await tx
    .insertInto("outbox_mails")
    .values(
      mails.map(
        ({ id, to, subject, text, html }) =>
          ({
            id,
            to_address: to,
            to_key: to.toLowerCase(),
            subject,
            text,
            html,
            sent_at: sentAt,
          }) satisfies NewRow<"outbox_mails">,
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

interface OutboxPart {
  /** Everybody's mails when null. */
  to: string | null
  /** The last mail of the part before, null for the first part. */
  after: string | null
  limit: number
}

async function findOutboxMails(db: Db, { to, after, limit }: OutboxPart): Promise<OutboxMail[]> {
  return db
    .selectFrom("outbox_mails")
    .select(["id", "to_address as to", "subject", "text", "html", "sent_at as sentAt"])
    .$if(to !== null, (query) => query.where("to_key", "=", (to ?? "").trim().toLowerCase()))
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple("sent_at", "id"),
          "<",
          selectFrom("outbox_mails as last")
            .select(["last.sent_at", "last.id"])
            .where("last.id", "=", after ?? "")
            .$asTuple("sent_at", "id"),
        ),
      ),
    )
    .orderBy("sent_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute()
}

/** Undefined when the outbox does not hold it. */
export async function findOutboxMail(db: Db, id: string): Promise<OutboxMail | undefined> {
  return db
    .selectFrom("outbox_mails")
    .select(["id", "to_address as to", "subject", "text", "html", "sent_at as sentAt"])
    .where("id", "=", id)
    .executeTakeFirst()
}

export async function deleteOutboxMailsBefore(tx: Tx, moment: Date): Promise<void> {
  await tx.deleteFrom("outbox_mails").where("sent_at", "<", moment).execute()
}

import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"
import type { OutgoingMail } from "./mailer.ts"

export interface OutboxMail {
  id: string
  to: string
  subject: string
  text: string
  html: string
  sentAt: Date
}

export async function insertOutboxMailsOnce(tx: Tx, mails: OutgoingMail[], sentAt: Date): Promise<void> {
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

export async function findOutboxMails(db: Db, { to, after, limit }: OutboxPart): Promise<OutboxMail[]> {
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

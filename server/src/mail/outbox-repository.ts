import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"
import type { OutgoingMail } from "./mailer.ts"

export interface OutboxMail {
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

export async function findOutboxMails(db: Db, to: string | null, limit: number): Promise<OutboxMail[]> {
  return db
    .selectFrom("outbox_mails")
    .select(["to_address as to", "subject", "text", "html", "sent_at as sentAt"])
    .$if(to !== null, (query) => query.where("to_key", "=", (to ?? "").trim().toLowerCase()))
    .orderBy("sent_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute()
}

export async function deleteOutboxMailsBefore(tx: Tx, moment: Date): Promise<void> {
  await tx.deleteFrom("outbox_mails").where("sent_at", "<", moment).execute()
}

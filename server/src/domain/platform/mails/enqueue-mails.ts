import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { lifetimeSecondsOf, type MailContent } from "./mail-content.ts"
import { insertMailsOnce } from "./mails-repository.ts"

export interface NewMail {
  userId: string
  /** Overrides the user's address at the time of sending. */
  to?: string
  content: MailContent
  /** A token from `issueNotMeLink`: the mail gets the button 'Não fui eu', which stops the account. */
  notMe?: string
  /** Deduplication: one mail per key, however often it is enqueued. */
  dedupeKey: string
}

/** Call it in the transaction that the mails report: they are sent if and only if it commits. */
export async function enqueueMails(tx: Tx, mails: NewMail[], now: Date): Promise<void> {
  if (mails.length === 0) return
  await insertMailsOnce(
    tx,
    mails.map((mail) => ({ ...mail, id: newId(), lifetimeSeconds: lifetimeSecondsOf(mail.content) })),
    now,
  )
}

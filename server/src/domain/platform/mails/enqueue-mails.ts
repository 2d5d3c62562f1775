import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { type MailContent, mailLifetimeSeconds } from "./mail-content.ts"
import { insertMailsOnce } from "./mails-repository.ts"

export interface NewMail {
  userId: string
  /** Another address than the one that the user has when the mail goes out. */
  to?: string
  content: MailContent
  /** One mail per key, however often it is asked for. */
  dedupeKey: string
}

/** In the transaction of what the mails tell of: they leave if, and only if, it was committed. */
export async function enqueueMails(tx: Tx, mails: NewMail[], now: Date): Promise<void> {
  if (mails.length === 0) return
  await insertMailsOnce(
    tx,
    mails.map((mail) => ({ ...mail, id: newId(), lifetimeSeconds: mailLifetimeSeconds[mail.content.kind] })),
    now,
  )
}

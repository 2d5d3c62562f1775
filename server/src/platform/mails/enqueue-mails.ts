import type { Db, Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { lifetimeSecondsOf, type MailContent } from "./mail-content.ts"
import { countDueRows, deleteUnsentOfKeys, findSentAt, insertMailsOnce } from "./table.ts"

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

/** Nor to a payer whose data are erased. The charge may not have such a mail. */
export async function withdrawReceipts(tx: Tx, chargeIds: readonly string[]): Promise<void> {
  await deleteUnsentOfKeys(tx, chargeIds.map(receiptMailKey))
}

/** Deduplicates mails of receipts. */
export function receiptMailKey(chargeId: string): string {
  return `receipt:${chargeId}`
}

/** Mails that could be sent now, counted up to `atMost`. */
export async function countDueMails(tx: Tx, range: { now: Date; atMost: number }): Promise<number> {
  return countDueRows(tx, range)
}

/** When the mail was sent. Null when it waits, was given up or was tidied away. */
export async function findMailSentAt(db: Db, dedupeKey: string): Promise<Date | null> {
  return findSentAt(db, dedupeKey)
}

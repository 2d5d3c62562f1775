import type { Db } from "#db/transaction"
import { findOutboxMail, findOutboxMails, type OutboxMail } from "./outbox-repository.ts"

export type { OutboxMail } from "./outbox-repository.ts"

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

/** One letter; undefined when the outbox does not hold it. */
export async function findLetter(db: Db, id: string): Promise<OutboxMail | undefined> {
  return findOutboxMail(db, id)
}

import type { Db } from "#db/transaction"
import { findOutboxMails, type OutboxMail } from "./outbox-repository.ts"

export type { OutboxMail } from "./outbox-repository.ts"

const MOST_SHOWN = 200

/** Newest first; everybody's mails when no address is given. */
export async function listOutbox(db: Db, to: string | null): Promise<OutboxMail[]> {
  return findOutboxMails(db, to, MOST_SHOWN)
}

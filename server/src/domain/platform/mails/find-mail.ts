import type { Db } from "#db/transaction"
import { findSentAt } from "./mails-repository.ts"

/** When the mail was sent. Null when it waits, was given up or was tidied away. */
export async function findMailSentAt(db: Db, dedupeKey: string): Promise<Date | null> {
  return findSentAt(db, dedupeKey)
}

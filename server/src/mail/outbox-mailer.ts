import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import type { Mailer } from "./mailer.ts"
import { insertOutboxMailsOnce } from "./outbox-repository.ts"

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

import { setTimeout as sleep } from "node:timers/promises"
import { sql } from "kysely"
import type { Db } from "#db/transaction"
import { enqueuePaymentMails } from "#domain/money/payments/enqueue-payment-mails"
import { issuePasswordResets } from "#domain/people/users/issue-password-resets"
import { sendMails } from "#domain/platform/mails/send-mails"
import type { Clock } from "#kit/clock"
import { createLog } from "#kit/log"
import { listOutbox, type OutboxMail } from "#mail/list-outbox"
import { createOutboxMailer } from "#mail/outbox-mailer"

/**
 * Tests share their PostgreSQL, and a transaction of any database holds back the payments after it: a server tells of
 * them a second later, a test waits for them here.
 */
async function tellOfPayments({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  for (const giveUpAt = performance.now() + 3_000; performance.now() < giveUpAt; await sleep(10)) {
    await enqueuePaymentMails({ db, clock })
    const { rows } = await sql<{ isBehind: boolean }>`
      select exists (
        select from payments payment, payment_marks mark
        where mark.reader = 'mails' and (payment.xid, payment.end_to_end_id) > (mark.xid, mark.end_to_end_id)
      ) as "isBehind"`.execute(db)
    if (rows[0]?.isBehind !== true) return
  }
}

/** Runs the mail jobs and returns the address's mails in the sandbox's outbox, newest first. */
export async function deliverMails(
  { db, clock }: { db: Db; clock: Clock },
  to: string | null = null,
): Promise<OutboxMail[]> {
  await issuePasswordResets({ db, clock })
  await tellOfPayments({ db, clock })
  const mailer = createOutboxMailer({ db, clock })
  await sendMails({ db, clock, mailer, log: createLog("silent"), publicUrl: "http://localhost:3000" })
  return listOutbox(db, to)
}

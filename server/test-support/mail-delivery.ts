import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { createLog } from "#kit/log"
import type { Protection } from "#kit/request-scope"
import { createOutboxMailer, listOutbox, type OutboxMail } from "#mail/outbox"
import { enqueuePaymentMails } from "#money/payments/mails"
import { issuePasswordResets } from "#people/users/reset-password"
import { sendMails } from "#platform/mails/send-mails"
import { openPayerTokens } from "#selling/charges/payer-data"
import { numberAllEvents } from "./number-all-events.ts"

/** Runs the mail jobs and returns the address's mails in the sandbox's outbox, newest first. */
export async function deliverMails(
  { db, clock, protection = "relaxed" }: { db: Db; clock: Clock; protection?: Protection },
  to: string | null = null,
): Promise<OutboxMail[]> {
  await issuePasswordResets({ db, clock, protection })
  await numberAllEvents(db)
  const payerTokens = await openPayerTokens({ db, protection: "relaxed" })
  await enqueuePaymentMails({ db, clock, payerTokens, payersUrl: "http://localhost:3000" })
  const mailer = createOutboxMailer({ db, clock })
  await sendMails({ db, clock, mailer, log: createLog("silent"), publicUrl: "http://localhost:3000" })
  return listOutbox(db, to)
}

/** Again and again until none is due: one run ends early when all mails of its batch are too old. */
export async function deliverAllMails(
  site: { db: Db; clock: Clock; protection: Protection },
  to: string,
): Promise<OutboxMail[]> {
  const due = site.db.selectFrom("mails").select("id").where("sent_at", "is", null).where("given_up_at", "is", null)
  while ((await due.limit(1).executeTakeFirst()) !== undefined) await deliverMails(site, to)
  return deliverMails(site, to)
}

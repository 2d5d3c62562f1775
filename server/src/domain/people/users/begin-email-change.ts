import type { Db, Tx } from "#db/transaction"
import { issueNotMeLink } from "#domain/people/freezes/not-me-links"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { mailLifetimeSeconds } from "#domain/platform/mails/mail-content"
import { tellOwner } from "#domain/platform/mails/tell-owner"
import { type Clock, secondsAfter } from "#kit/clock"
import { maskedEmail } from "#kit/masked-email"
import { hashOfToken, newToken } from "#kit/secret-token"
import { deleteEmailChangeOf, deleteExpiredEmailChanges, saveEmailChange } from "./email-changes-repository.ts"
import type { User } from "./user.ts"

/**
 * Mails a link to the new address, which counts once the link is used, and warns the present one while there is time.
 * Call it under the user's lock.
 */
export async function beginEmailChange(
  tx: Tx,
  { user, email, by }: { user: User; email: string; by: Actor },
  now: Date,
): Promise<void> {
  const token = newToken()
  const tokenHash = hashOfToken(token)
  const expiresAt = secondsAfter(now, mailLifetimeSeconds.new_email)
  await saveEmailChange(tx, { userId: user.id, tokenHash, email, askedBy: by.id, createdAt: now, expiresAt })
  await recordAudit(tx, {
    ...{ actor: by, happenedAt: now, action: "user.email_asked", entity: "user", entityId: user.id },
    before: { email: user.email },
    after: { email },
  })
  const confirmation = { kind: "new_email", token } as const
  const dedupeKey = `new-email:${tokenHash.toString("hex")}`
  await enqueueMails(tx, [{ userId: user.id, to: email, dedupeKey, content: confirmation }], now)
  const notice = { kind: "email_change_asked", email: maskedEmail(email), askedAt: now.toISOString() } as const
  const notMe = await issueNotMeLink(tx, user.id, now)
  await tellOwner(tx, { userId: user.id, mailTo: user.email, notice, notMe }, now)
}

/** The owner said that it wasn't them: an address that waits for its confirmation is forgotten. Call it under the user's lock. */
export async function dropEmailChange(tx: Tx, userId: string): Promise<void> {
  await deleteEmailChangeOf(tx, userId)
}

export async function tidyEmailChanges({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => deleteExpiredEmailChanges(tx, now))
}

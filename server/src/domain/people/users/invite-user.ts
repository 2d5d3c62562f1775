import type { Tx } from "#db/transaction"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { mailLifetimeSeconds } from "#domain/platform/mails/mail-content"
import { secondsAfter } from "#kit/clock"
import { hashOfToken, newToken } from "#kit/secret-token"
import { endResetsOf, insertReset } from "./password-resets-repository.ts"

/**
 * Creates a link to set the first password: a reset with a longer lifetime. Call it under the user's lock; only the
 * newest link works.
 */
export async function inviteUser(tx: Tx, userId: string, now: Date): Promise<void> {
  const token = newToken()
  const tokenHash = hashOfToken(token)
  const expiresAt = secondsAfter(now, mailLifetimeSeconds.invitation)
  await endResetsOf(tx, userId, now)
  await insertReset(tx, { tokenHash, userId, createdAt: now, expiresAt })
  const mail = { userId, dedupeKey: `invitation:${tokenHash.toString("hex")}` }
  await enqueueMails(tx, [{ ...mail, content: { kind: "invitation", token } }], now)
}

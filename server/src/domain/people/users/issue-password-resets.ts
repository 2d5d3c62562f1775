import type { Db, Tx } from "#db/transaction"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { type Clock, secondsAfter } from "#kit/clock"
import type { Protection } from "#kit/protection"
import { hashOfToken, newToken } from "#kit/secret-token"
import { askConfirmation, secondsToNextLink } from "./ask-confirmation.ts"
import { countResetsSince, endResetsOf, insertReset, takeResetRequests } from "./password-resets-repository.ts"
import type { User } from "./user.ts"
import { lockUserByEmail } from "./users-repository.ts"

const BATCH = 50
/** A mailbox that a thief reads opens an account without a second factor: ten minutes are what the standard allows. */
const linkMinutes: Record<Protection, number> = { strict: 10, relaxed: 30 }
const limit = { mails: 3, windowSeconds: 3_600 }

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

/** Turns requests into links, for addresses with an active account. */
export async function issuePasswordResets({ db, clock, protection }: Deps): Promise<void> {
  const minutes = linkMinutes[protection]
  let taken = BATCH
  while (taken === BATCH) {
    const now = clock.now()
    taken = await db.transaction().execute((tx) => issueBatch(tx, minutes, now))
  }
}

/** In the order of addresses, so that two nodes never deadlock on each other's accounts. */
async function issueBatch(tx: Tx, minutes: number, now: Date): Promise<number> {
  const emailKeys = await takeResetRequests(tx, BATCH)
  for (const emailKey of [...new Set(emailKeys)].sort()) await issueReset(tx, { emailKey, minutes }, now)
  return emailKeys.length
}

async function issueReset(
  tx: Tx,
  { emailKey, minutes }: { emailKey: string; minutes: number },
  now: Date,
): Promise<void> {
  const user = await lockUserByEmail(tx, emailKey)
  if (user === undefined || !user.active) return
  if (user.emailState === "unconfirmed") return askInstead(tx, user, now)
  if ((await countResetsSince(tx, user.id, secondsAfter(now, -limit.windowSeconds))) >= limit.mails) return

  const token = newToken()
  const tokenHash = hashOfToken(token)
  await endResetsOf(tx, user.id, now)
  await insertReset(tx, { tokenHash, userId: user.id, createdAt: now, expiresAt: secondsAfter(now, minutes * 60) })
  const mail = { userId: user.id, dedupeKey: `reset:${tokenHash.toString("hex")}` }
  await enqueueMails(tx, [{ ...mail, content: { kind: "reset_password", token, minutes } }], now)
}

/** An address that nobody confirmed may be somebody else's: it gets no mail but the one that asks for confirmation. */
async function askInstead(tx: Tx, user: User, now: Date): Promise<void> {
  if ((await secondsToNextLink(tx, user.id, now)) === 0) await askConfirmation(tx, user, now)
}

import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { hashOfToken, isToken, newToken } from "#kit/secret-token"
import { deleteLinksExpiredBefore, findLiveLink, insertLink, useLink } from "./freezes-repository.ts"

/** Longer than every hold, so that the owner's word comes in time also after a week away. */
const LIFETIME_SECONDS = 7 * 86_400

/**
 * Returns the token for `notMe` of a mail that reports what a thief would do: the mail then has the button 'Não fui eu'. The
 * token is stored nowhere but in that mail until it is sent.
 */
export async function issueNotMeLink(tx: Tx, userId: string, now: Date): Promise<string> {
  const token = newToken()
  const expiresAt = secondsAfter(now, LIFETIME_SECONDS)
  await insertLink(tx, { tokenHash: hashOfToken(token), userId, createdAt: now, expiresAt })
  return token
}

/** Null when the link doesn't work, or no more. */
export async function ownerOfNotMeLink({ db, clock }: { db: Db; clock: Clock }, token: string): Promise<string | null> {
  if (!isToken(token)) return null
  return (await findLiveLink(db, hashOfToken(token), clock.now())) ?? null
}

/** When the mail was written; null unless it is the first use. Call it under the user's lock. */
export async function useNotMeLink(tx: Tx, token: string, now: Date): Promise<Date | null> {
  return (await useLink(tx, hashOfToken(token), now)) ?? null
}

export async function tidyNotMeLinks({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.transaction().execute((tx) => deleteLinksExpiredBefore(tx, clock.now()))
}

import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { insertResetRequest } from "./password-resets-repository.ts"
import { emailKeyOf } from "./user.ts"

/**
 * Only records the request, for any address alike: neither the answer nor its time reveals whether an account exists. A
 * job looks that up later.
 */
export async function requestPasswordReset({ db, clock }: { db: Db; clock: Clock }, email: string): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => insertResetRequest(tx, emailKeyOf(email), now))
}

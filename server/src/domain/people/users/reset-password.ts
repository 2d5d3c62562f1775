import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { hashOfToken, isToken } from "#kit/secret-token"
import { forgetFailuresOf } from "./login-limit.ts"
import { hashPassword } from "./password.ts"
import { findLiveReset } from "./password-resets-repository.ts"
import { savePassword } from "./save-password.ts"
import { lockUser } from "./users-repository.ts"

/** A link that doesn't work costs no hash. */
export async function resetPassword(
  { db, clock }: { db: Db; clock: Clock },
  { token, password, address }: { token: string; password: string; address: string },
): Promise<void> {
  const tokenHash = hashOfToken(token)
  const now = clock.now()
  const userId = isToken(token) ? await findLiveReset(db, tokenHash, now) : undefined
  if (userId === undefined) throw new DomainError("reset_token_invalid")

  const passwordHash = await hashPassword(password)
  await db.transaction().execute((tx) => useReset(tx, { tokenHash, userId, passwordHash, address }, now))
}

interface Reset {
  tokenHash: Buffer
  userId: string
  passwordHash: string
  /** The address that the request came from. */
  address: string
}

/** Takes the user's lock and then checks the link again: of several concurrent uses one succeeds. */
async function useReset(tx: Tx, { tokenHash, userId, passwordHash, address }: Reset, now: Date): Promise<void> {
  const user = await lockUser(tx, userId)
  const isLive = (await findLiveReset(tx, tokenHash, now)) === userId
  if (user === undefined || !user.active || !isLive) throw new DomainError("reset_token_invalid")
  await savePassword(tx, { user, passwordHash, action: "user.password_reset", address, spared: null }, now)
  await forgetFailuresOf(tx, user.email)
}

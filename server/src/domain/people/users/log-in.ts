import type { Db, Tx } from "#db/transaction"
import { openSession, type SessionOrigin } from "#domain/people/sessions/open-session"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { recordFailure, refuseTooManyFailures } from "./login-limit.ts"
import { isPassword } from "./password.ts"
import { emailKeyOf, type User } from "./user.ts"
import { findUserByEmail, holdLogin, type UserWithPassword } from "./users-repository.ts"

interface Credentials {
  email: string
  password: string
  origin: SessionOrigin
}

/** The limit is checked again after the hash: concurrent guesses would otherwise all pass before one counts. */
export async function logIn(
  { db, clock }: { db: Db; clock: Clock },
  { email, password, origin }: Credentials,
): Promise<{ user: User; token: string }> {
  const attempt = { accountKey: emailKeyOf(email), address: origin.address }
  await refuseTooManyFailures(db, attempt, clock.now())

  const user = await findUserByEmail(db, email)
  const isRight = await isPassword(user?.passwordHash ?? null, password)
  if (user === undefined || !isRight) {
    await db.transaction().execute((tx) => recordFailure(tx, attempt, clock.now()))
    throw new DomainError("wrong_credentials")
  }
  await refuseTooManyFailures(db, attempt, clock.now())
  if (!user.active) throw new DomainError("account_disabled")

  const token = await db.transaction().execute((tx) => openHeldSession(tx, user, origin, clock.now()))
  return { user, token }
}

/**
 * The password was checked outside the transaction: the session must not outlive a concurrent reset or inactivation.
 */
async function openHeldSession(tx: Tx, user: UserWithPassword, origin: SessionOrigin, now: Date): Promise<string> {
  if (!(await holdLogin(tx, user))) throw new DomainError("wrong_credentials")
  return openSession(tx, user, origin, now)
}

import type { Db, Tx } from "#db/transaction"
import { endFreezeByFactor } from "#domain/people/freezes/end-freeze"
import { openSession, type SessionOrigin } from "#domain/people/sessions/open-session"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import type { Protection } from "#kit/protection"
import type { SecretKeys } from "#kit/secret-box"
import { askIfNeverAsked } from "./ask-confirmation.ts"
import { attemptOf, type LoginAttempt, rememberDevice } from "./known-device.ts"
import { recordFailure, refuseTooManyFailures } from "./login-limit.ts"
import { isPassword } from "./password.ts"
import { proveFactor } from "./prove-factor.ts"
import type { User } from "./user.ts"
import { findUserByEmail, holdLogin, type UserWithPassword } from "./users-repository.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
  protection: Protection
}

interface Credentials {
  email: string
  password: string
  /** The second factor's, where the account has one. */
  code?: string | null
  origin: SessionOrigin
  /** The token of the browser's cookie, if it has one. */
  device?: string | null
}

interface Opened {
  token: string
  device: string | null
}

/** The limit is checked again after the hash: concurrent guesses would otherwise all pass before one counts. */
export async function logIn(
  deps: Deps,
  { email, password, code = null, origin, device = null }: Credentials,
): Promise<{ user: User } & Opened> {
  const { db, clock } = deps
  const attempt = await attemptOf(db, { email, address: origin.address, device })
  await refuseTooManyFailures(db, attempt, clock.now())

  const user = await findUserByEmail(db, email)
  const isRight = await isPassword(user?.passwordHash ?? null, password)
  if (user === undefined || !isRight) {
    await db.transaction().execute((tx) => recordFailure(tx, attempt, clock.now()))
    throw new DomainError("wrong_credentials")
  }
  await refuseTooManyFailures(db, attempt, clock.now())
  if (!user.active) throw new DomainError("account_disabled")

  const opened = await db.transaction().execute((tx) => openHeldSession(tx, deps, { user, code, origin, attempt }))
  if (opened instanceof DomainError) throw opened
  return { user, ...opened }
}

/**
 * The password was checked outside the transaction: the session must not outlive a concurrent reset or inactivation.
 */
async function openHeldSession(
  tx: Tx,
  { clock, secretKeys, protection }: Deps,
  login: { user: UserWithPassword; code: string | null; origin: SessionOrigin; attempt: LoginAttempt },
): Promise<Opened | DomainError> {
  const { user, code, origin, attempt } = login
  const now = clock.now()
  if (!(await holdLogin(tx, user))) throw new DomainError("wrong_credentials")
  const owner = { id: user.id, address: origin.address }
  const proven = await proveFactor(tx, secretKeys, { owner, attempt, code }, now)
  if (proven instanceof DomainError) return proven
  const { enrolledAt } = proven
  if (enrolledAt !== null) await endFreezeByFactor(tx, { owner, enrolledAt }, now)
  await askIfNeverAsked(tx, user, protection, now)
  const token = await openSession(tx, user, origin, now)
  return { token, device: await rememberDevice(tx, user.id, attempt, now) }
}

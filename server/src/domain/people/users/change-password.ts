import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { attemptOf } from "./known-device.ts"
import { recordFailure, refuseTooManyFailures } from "./login-limit.ts"
import { hashPassword, isPassword } from "./password.ts"
import { refuseGuessable } from "./password-rules.ts"
import { savePassword } from "./save-password.ts"
import { findUserWithPassword, lockUser } from "./users-repository.ts"

interface Change {
  userId: string
  passwordCurrent: string
  password: string
  /** Token of the caller's session, which stays open. */
  token: string
  /** The address that the request came from. */
  address: string
  /** The token of the browser's cookie, if it has one. */
  device?: string | null
}

/** Wrong passwords count like failed logins, so that a stolen session can't guess the password here. */
export async function changePassword({ db, clock }: { db: Db; clock: Clock }, change: Change): Promise<void> {
  const user = await findUserWithPassword(db, change.userId)
  if (user === undefined) throw new DomainError("unauthenticated")
  const attempt = await attemptOf(db, { email: user.email, address: change.address, device: change.device ?? null })
  await refuseTooManyFailures(db, attempt, clock.now())

  if (!(await isPassword(user.passwordHash, change.passwordCurrent))) {
    await db.transaction().execute((tx) => recordFailure(tx, attempt, clock.now()))
    throw wrongPassword()
  }
  await refuseTooManyFailures(db, attempt, clock.now())
  await refuseGuessable(db, change.password, user)
  const passwordHash = await hashPassword(change.password)
  const before = user.passwordHash
  await db.transaction().execute((tx) => replacePassword(tx, { ...change, before, passwordHash }, clock.now()))
}

/** The second of two concurrent changes finds its current password outdated. */
async function replacePassword(
  tx: Tx,
  { userId, token, address, before, passwordHash }: Change & { before: string | null; passwordHash: string },
  now: Date,
): Promise<void> {
  const user = await lockUser(tx, userId)
  if (user?.passwordHash !== before) throw wrongPassword()
  const change = { action: "user.password_changed", address, spared: { token } } as const
  await savePassword(tx, { user, passwordHash, ...change }, now)
}

function wrongPassword(): DomainError {
  return brokenRule("passwordCurrent", "Senha atual incorreta")
}

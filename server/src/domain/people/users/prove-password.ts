import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { attemptOf } from "./known-device.ts"
import { recordFailure, refuseTooManyFailures } from "./login-limit.ts"
import { isPassword } from "./password.ts"
import { findUserWithPassword, type UserWithPassword } from "./users-repository.ts"

export interface PasswordProof {
  userId: string
  passwordCurrent: string
  /** The address that the request came from. */
  address: string
  /** The token of the browser's cookie, if it has one. */
  device?: string | null
}

/** Wrong passwords count like failed logins, so that a stolen session can't guess the password here. */
export async function provePassword(
  { db, clock }: { db: Db; clock: Clock },
  { userId, passwordCurrent, address, device }: PasswordProof,
  /** The field of the form that is wrong. */
  field: "passwordCurrent" | "password" = "passwordCurrent",
): Promise<UserWithPassword> {
  const user = await findUserWithPassword(db, userId)
  if (user === undefined) throw new DomainError("unauthenticated")
  const attempt = await attemptOf(db, { email: user.email, address, device: device ?? null })
  await refuseTooManyFailures(db, attempt, clock.now())

  if (!(await isPassword(user.passwordHash, passwordCurrent))) {
    await db.transaction().execute((tx) => recordFailure(tx, attempt, clock.now()))
    throw wrongPassword(field)
  }
  await refuseTooManyFailures(db, attempt, clock.now())
  return user
}

export function wrongPassword(field: "passwordCurrent" | "password" = "passwordCurrent"): DomainError {
  return brokenRule(field, field === "password" ? "Senha incorreta" : "Senha atual incorreta")
}

import type { Db, Tx } from "#db/transaction"
import { markSteppedUp } from "#domain/people/sessions/step-up-session"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import type { SecretKeys } from "#kit/secret-box"
import { attemptOf } from "./known-device.ts"
import { proveFactor } from "./prove-factor.ts"
import { type PasswordProof, provePassword } from "./prove-password.ts"
import { holdLogin, type UserWithPassword } from "./users-repository.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

interface StepUp extends PasswordProof {
  code: string | null
  /** The session that becomes fresh: no other one of the same person. */
  token: string
}

/** Returns until when the session is fresh. Wrong passwords and codes count like failed logins. */
export async function stepUp(deps: Deps, wish: StepUp): Promise<Date> {
  const user = await provePassword(deps, wish, "password")
  const outcome = await deps.db.transaction().execute((tx) => refresh(tx, deps, { ...wish, user }))
  if (outcome instanceof DomainError) throw outcome
  return outcome
}

async function refresh(
  tx: Tx,
  { clock, secretKeys }: Deps,
  { user, code, token, address, device = null }: StepUp & { user: UserWithPassword },
): Promise<Date | DomainError> {
  const now = clock.now()
  if (!(await holdLogin(tx, user))) throw new DomainError("unauthenticated")
  const attempt = await attemptOf(tx, { email: user.email, address, device })
  const owner = { id: user.id, address }
  const proven = await proveFactor(tx, secretKeys, { owner, attempt, code }, now)
  return proven instanceof DomainError ? proven : markSteppedUp(tx, { owner, token }, now)
}

import type { Tx } from "#db/transaction"
import { findFactorsOf } from "#domain/people/second-factors/find-factors"
import { spendCode } from "#domain/people/second-factors/spend-code"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { DomainError } from "#kit/domain-error"
import type { SecretKeys } from "#kit/secret-box"
import { type FailedLogin, lockFailuresOf } from "./failed-logins-repository.ts"
import { recordFailure, refuseTooManyFailures } from "./login-limit.ts"

interface Attempt {
  owner: Actor
  /** A wrong code is counted by it. */
  attempt: FailedLogin
  code: string | null
}

/**
 * Returns the refusal instead of throwing it, because the failure that it counted must be committed. Attempts on one
 * account take turns, so that guesses sent at once are counted like those sent one by one.
 */
export async function proveFactor(
  tx: Tx,
  secretKeys: SecretKeys,
  { owner, attempt, code }: Attempt,
  now: Date,
): Promise<DomainError | null> {
  const methods = await findFactorsOf(tx, owner.id)
  if (methods.length === 0) return null
  if (code === null) return new DomainError("second_factor_required", { data: { methods } })
  await lockFailuresOf(tx, attempt)
  await refuseTooManyFailures(tx, attempt, now)
  if (await spendCode(tx, secretKeys, { owner, code }, now)) return null
  await recordFailure(tx, attempt, now)
  return new DomainError("second_factor_invalid", { data: { methods } })
}

import type { SecondFactor } from "@tilinta/contract/vocabulary/second-factors"
import type { Tx } from "#db/transaction"
import { findFactorsOf } from "#domain/people/second-factors/find-factors"
import { spendCode } from "#domain/people/second-factors/spend-code"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { DomainError } from "#kit/domain-error"
import type { SecretKeys } from "#kit/secret-box"
import { lockFailuresOf } from "./failed-logins-repository.ts"
import type { LoginAttempt } from "./known-device.ts"
import { recordFailure, refuseTooManyFailures } from "./login-limit.ts"

interface Attempt {
  owner: Actor
  /** A wrong code is counted by it. */
  attempt: LoginAttempt
  code: string | null
}

/** Since when the account has what proved it; null where it has no factor, so that nothing had to be proven. */
interface Proven {
  enrolledAt: Date | null
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
): Promise<Proven | DomainError> {
  const methods = await findFactorsOf(tx, owner.id)
  if (methods.length === 0) return { enrolledAt: null }
  if (code === null) return codeMissing(methods)
  await lockFailuresOf(tx, attempt)
  await refuseTooManyFailures(tx, attempt, now)
  const enrolledAt = await spendCode(tx, secretKeys, { owner, code }, now)
  if (enrolledAt !== null) return { enrolledAt }
  await recordFailure(tx, attempt, now)
  return new DomainError("second_factor_invalid", { data: { methods } })
}

function codeMissing(methods: SecondFactor[]): DomainError {
  const data = { methods }
  if (methods.includes("totp")) return new DomainError("second_factor_required", { data })
  const or = methods.includes("recovery_code") ? ", ou informe um código de recuperação" : ""
  const message = `Esta conta pede a sua chave de acesso (passkey): use-a para entrar, sem senha${or}.`
  return new DomainError("second_factor_required", { message, data })
}

import type { Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import type { SecretKeys } from "#kit/secret-box"
import { noteFactorChange } from "./factor-notice.ts"
import { hashOfRecoveryCode } from "./recovery-code.ts"
import { findTotp, spendRecoveryCode, spendStep } from "./second-factors-repository.ts"
import { isTotpCode, stepOfCode } from "./totp.ts"
import { openTotp } from "./totp-box.ts"

interface Guess {
  owner: Actor
  /** Six digits of the authenticator app, or a recovery code. */
  code: string
}

/**
 * Since when the owner has what proves it: the app, or this very recovery code. Null when the code is wrong, too old or used
 * before. Count the failures: six digits can be guessed.
 */
export async function spendCode(tx: Tx, secretKeys: SecretKeys, guess: Guess, now: Date): Promise<Date | null> {
  const { owner } = guess
  const code = guess.code.replaceAll(/[\s-]/g, "")
  if (isTotpCode(code)) return spendTotp(tx, secretKeys, { owner, code }, now)
  const enrolledAt = await spendRecoveryCode(tx, owner.id, hashOfRecoveryCode(owner.id, code), now)
  if (enrolledAt !== null) await noteFactorChange(tx, { owner, change: "recovery_used", factor: "recovery_code" }, now)
  return enrolledAt
}

async function spendTotp(tx: Tx, secretKeys: SecretKeys, { owner, code }: Guess, now: Date): Promise<Date | null> {
  const stored = await findTotp(tx, owner.id, "confirmed")
  if (stored === undefined) return null
  const step = stepOfCode(openTotp(secretKeys, stored), code, now)
  return step === null ? null : spendStep(tx, stored, step)
}

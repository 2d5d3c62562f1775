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

/** False when the code is wrong, too old or used before. Count the failures: six digits can be guessed. */
export async function spendCode(tx: Tx, secretKeys: SecretKeys, guess: Guess, now: Date): Promise<boolean> {
  const { owner } = guess
  const code = guess.code.replaceAll(/[\s-]/g, "")
  if (isTotpCode(code)) return spendTotp(tx, secretKeys, { owner, code }, now)
  const isSpent = await spendRecoveryCode(tx, owner.id, hashOfRecoveryCode(owner.id, code), now)
  if (isSpent) await noteFactorChange(tx, { owner, change: "recovery_used", factor: "recovery_code" }, now)
  return isSpent
}

async function spendTotp(tx: Tx, secretKeys: SecretKeys, { owner, code }: Guess, now: Date): Promise<boolean> {
  const stored = await findTotp(tx, owner.id, "confirmed")
  if (stored === undefined) return false
  const step = stepOfCode(openTotp(secretKeys, stored), code, now)
  return step !== null && spendStep(tx, stored, step)
}

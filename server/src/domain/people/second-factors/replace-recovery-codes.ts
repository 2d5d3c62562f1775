import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { noteFactorChange } from "./factor-notice.ts"
import { findFactorsOf } from "./find-factors.ts"
import { hashOfRecoveryCode, newRecoveryCodes } from "./recovery-code.ts"
import { deleteRecoveryCodes, insertRecoveryCodes, lockFactorsOf } from "./second-factors-repository.ts"

/** Returns new codes, stored nowhere; the old ones stop working. */
export async function renewRecoveryCodes({ db, clock }: { db: Db; clock: Clock }, owner: Actor): Promise<string[]> {
  return db.transaction().execute((tx) => renew(tx, owner, clock.now()))
}

async function renew(tx: Tx, owner: Actor, now: Date): Promise<string[]> {
  await lockFactorsOf(tx, owner.id)
  if ((await findFactorsOf(tx, owner.id)).length === 0) throw new DomainError("second_factor_missing")
  await noteFactorChange(tx, { owner, change: "recovery_renewed", factor: "recovery_code" }, now)
  return replaceRecoveryCodes(tx, owner.id, now)
}

/** Call it under the lock of the user's factors. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, now: Date): Promise<string[]> {
  const codes = newRecoveryCodes()
  await deleteRecoveryCodes(tx, userId)
  await insertRecoveryCodes(
    tx,
    userId,
    codes.map((code) => hashOfRecoveryCode(userId, code)),
    now,
  )
  return codes
}

import { type SecondFactor, secondFactors } from "@tilinta/contract/vocabulary/second-factors"
import type { Db } from "#db/transaction"
import { type FactorState, findFactorStates } from "./second-factors-repository.ts"

const none: FactorState = { totpSince: null, passkeys: 0, recoveryCodesLeft: 0 }

export async function readFactors(db: Db, userId: string): Promise<FactorState> {
  return (await findFactorStates(db, [userId])).get(userId) ?? none
}

/** Proofs that the user has besides the password; empty without a factor. */
export async function findFactorsOf(db: Db, userId: string): Promise<SecondFactor[]> {
  return factorsIn(await readFactors(db, userId))
}

function factorsIn({ totpSince, passkeys, recoveryCodesLeft }: FactorState = none): SecondFactor[] {
  if (totpSince === null && passkeys === 0) return []
  const has = { passkey: passkeys > 0, totp: totpSince !== null, recovery_code: recoveryCodesLeft > 0 }
  return secondFactors.filter((factor) => has[factor])
}

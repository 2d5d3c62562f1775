import type { SecondFactor } from "@tilinta/contract/vocabulary/second-factors"
import type { Db } from "#db/transaction"
import { type FactorState, findFactorState } from "./second-factors-repository.ts"

export async function readFactors(db: Db, userId: string): Promise<FactorState> {
  return findFactorState(db, userId)
}

/** Proofs that the user has besides the password; empty without a factor. */
export async function findFactorsOf(db: Db, userId: string): Promise<SecondFactor[]> {
  const { totpSince, recoveryCodesLeft } = await findFactorState(db, userId)
  if (totpSince === null) return []
  return ["totp", ...(recoveryCodesLeft > 0 ? (["recovery_code"] as const) : [])]
}

import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import type { Protection } from "#kit/protection"
import { findFactorsOf } from "./find-factors.ts"

/** How the caller of a verb proved who they are. */
export interface Proof {
  userId: string
  /** True for minutes after a step-up in this very session; never for an API key. */
  isFresh: boolean
  protection: Protection
}

/** Relaxed asks only those who enrolled a factor, so that a sandbox is tried without being asked. */
export async function requireStepUp(db: Db, { userId, isFresh, protection }: Proof): Promise<void> {
  if (isFresh) return
  const factors = await findFactorsOf(db, userId)
  if (protection === "relaxed" && factors.length === 0) return
  throw new DomainError("step_up_required", { data: { methods: ["password", ...factors] } })
}

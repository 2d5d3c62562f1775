import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import type { Protection } from "#kit/protection"
import { findFactorsOf } from "./find-factors.ts"

/** How the caller of a verb proved who they are. */
export interface Proof {
  userId: string
  /** True for minutes after a step-up in this very session. */
  isFresh: boolean
  /** A program with an API key can't step up. */
  isProgram: boolean
  protection: Protection
  /** True for what relaxed protection asks of everybody, too: the changes of second factors. */
  isAlwaysAsked?: boolean
}

export async function requireStepUp(db: Db, proof: Proof): Promise<void> {
  const refusal = await findStepUpRefusal(db, proof)
  if (refusal !== null) throw refusal
}

/**
 * Why the caller must step up first; null when nothing is asked. Relaxed asks only those who enrolled a factor, so that a
 * sandbox is tried without being asked, and whoever is about to enrol one.
 */
export async function findStepUpRefusal(db: Db, proof: Proof): Promise<DomainError | null> {
  if (proof.isFresh) return null
  const factors = await findFactorsOf(db, proof.userId)
  const isAsked = proof.protection === "strict" || factors.length > 0 || proof.isAlwaysAsked === true
  return isAsked ? refusalOf(proof, ["password", ...factors]) : null
}

type Methods = NonNullable<DomainError["data"]>["methods"]

function refusalOf({ isProgram }: Proof, methods: Methods): DomainError {
  if (!isProgram) return new DomainError("step_up_required", { data: { methods } })
  const message = "Um programa não pode confirmar quem é. Faça isto pelo navegador."
  return new DomainError("step_up_required", { message, data: { methods: [] } })
}

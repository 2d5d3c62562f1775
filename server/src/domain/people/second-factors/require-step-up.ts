import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import type { Protection } from "#kit/protection"
import { factorsIn } from "./find-factors.ts"
import { findFactorStates } from "./second-factors-repository.ts"

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
  const refusal = (await findStepUpRefusals(db, [proof])).get(proof)
  if (refusal !== undefined) throw refusal
}

/**
 * The refusals of those who must step up first, by one query. Relaxed asks only those who enrolled a factor, so that a
 * sandbox is tried without being asked, and whoever is about to enrol one.
 */
export async function findStepUpRefusals(db: Db, proofs: readonly Proof[]): Promise<Map<Proof, DomainError>> {
  const doubtful = proofs.filter(({ isFresh }) => !isFresh)
  if (doubtful.length === 0) return new Map()
  const states = await findFactorStates(db, [...new Set(doubtful.map(({ userId }) => userId))])
  return new Map(
    doubtful.flatMap((proof) => {
      const factors = factorsIn(states.get(proof.userId))
      const isAsked = proof.protection === "strict" || factors.length > 0 || proof.isAlwaysAsked === true
      return isAsked ? [[proof, refusalOf(proof, ["password", ...factors])] as const] : []
    }),
  )
}

type Methods = NonNullable<DomainError["data"]>["methods"]

function refusalOf({ isProgram }: Proof, methods: Methods): DomainError {
  if (!isProgram) return new DomainError("step_up_required", { data: { methods } })
  const message = "Um programa não pode confirmar quem é. Faça isto pelo navegador."
  return new DomainError("step_up_required", { message, data: { methods: [] } })
}

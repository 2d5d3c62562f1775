import type { Endpoint } from "@tilinta/contract/api/define-endpoint"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { findFactorsOf } from "#domain/people/second-factors/find-factors"
import { type Proof, requireStepUp } from "#domain/people/second-factors/require-step-up"
import { sellerOf } from "#http/seller/session-of"
import { DomainError } from "#kit/domain-error"
import type { Protection } from "#kit/protection"

declare module "fastify" {
  interface FastifyContextConfig {
    stepUp?: Exclude<Endpoint["stepUp"], undefined>
    beforeEnrolment?: true
  }
}

interface Deps {
  db: Db
  protection: Protection
}

/**
 * Checks what the endpoints of a scope declare, before a body is read: that an administrator has a second factor where
 * protection is strict, and that the session was confirmed. Call it after the scope's login.
 */
export function guardSteps(scope: FastifyInstance, deps: Deps): void {
  scope.addHook("onRequest", async (request) => {
    const { stepUp, beforeEnrolment } = request.routeOptions.config
    if (beforeEnrolment !== true) await requireEnrolment(deps, request)
    // The scope that lets a key in here was granted by a person who had stepped up.
    const isProgram = sellerOf(request).apiKeyId !== null
    if (stepUp === "always" && !isProgram) await requireStepUp(deps.db, proofOf(request, deps))
  })
}

async function requireEnrolment({ db, protection }: Deps, request: FastifyRequest): Promise<void> {
  const { id, role } = sellerOf(request)
  if (protection === "relaxed" || role !== "admin") return
  const factors = await findFactorsOf(db, id)
  if (factors.length === 0) throw new DomainError("second_factor_enrolment_required")
}

/** For verbs that find out by their data whether they need it. */
export function proofOf(request: FastifyRequest, { protection }: Pick<Deps, "protection">): Proof {
  const { id, isFresh, apiKeyId } = sellerOf(request)
  return { userId: id, isFresh, isProgram: apiKeyId !== null, protection }
}

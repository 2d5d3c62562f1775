import type { Endpoint } from "@tilinta/contract/define-endpoint"
import type { ErrorCode } from "@tilinta/contract/vocabulary/error-codes"
import type { RequiredAction, Role } from "@tilinta/contract/vocabulary/people"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import { sellerOf } from "#people/sessions/caller"
import { momentText } from "#platform/mails/mail-content"
import { readSetting } from "#platform/settings/reads"
import { findFactorsOf, type Proof, requireStepUp } from "./factors.ts"

declare module "fastify" {
  interface FastifyContextConfig {
    stepUp?: Exclude<Endpoint["stepUp"], undefined>
    beforeEnrolment?: true
    whileFrozen?: true
  }
}

interface Deps {
  db: Db
  protection: Protection
}

/**
 * Checks what the endpoints of a scope declare, before a body is read: that the account isn't frozen, that an administrator,
 * and where a setting says so a seller too, has a second factor where protection is strict, and that the session was
 * confirmed. Call it after the scope's login.
 */
export function guardSteps(scope: FastifyInstance, deps: Deps): void {
  scope.addHook("onRequest", async (request) => {
    const { stepUp, beforeEnrolment, whileFrozen } = request.routeOptions.config
    if (sellerOf(request).isFrozen && whileFrozen !== true) throw new DomainError("account_frozen")
    if (beforeEnrolment !== true) await requireEnrolment(deps, request)
    // The scope that lets a key in here was granted by a person who had stepped up.
    const isProgram = sellerOf(request).apiKeyId !== null
    if (stepUp === undefined || stepUp === "by_data" || isProgram) return
    await requireStepUp(deps.db, { ...proofOf(request, deps), isAlwaysRequired: stepUp === "also_relaxed" })
  })
}

interface Person {
  id: string
  role: Role
  hasInitialPassword: boolean
  /** The administrator who looks through this session, and has proved themselves. */
  viewerId?: string | null
}

/**
 * The action that the person must do before anything else; null without one. Others may have read the password that was
 * printed at the first start: it only opens the way to another.
 */
export async function findRequiredAction(
  { db, protection }: Deps,
  { id, role, hasInitialPassword, viewerId = null }: Person,
): Promise<RequiredAction | null> {
  if (protection === "relaxed" || viewerId !== null) return null
  if (hasInitialPassword) return "new_password"
  if (role !== "admin" && !(await readSetting(db, "SELLERS_NEED_SECOND_FACTOR"))) return null
  return (await findFactorsOf(db, id)).length === 0 ? "second_factor" : null
}

const refusals = {
  new_password: "new_password_required",
  second_factor: "second_factor_enrolment_required",
} as const satisfies Record<RequiredAction, ErrorCode>

async function requireEnrolment(deps: Deps, request: FastifyRequest): Promise<void> {
  if (sellerOf(request).apiKeyId !== null) return
  const caller = sellerOf(request)
  const action = await findRequiredAction(deps, { ...caller, id: caller.person.id })
  if (action !== null) throw new DomainError(refusals[action])
}

/** A new administrator only looks for three days, in which the others notice. Call it after the scope's login. */
export function requireAdminRights(
  scope: FastifyInstance,
  { clock, protection }: Pick<Deps, "protection"> & { clock: Clock },
): void {
  if (protection === "relaxed") return
  scope.addHook("onRequest", async (request) => {
    const { adminRightsFrom } = sellerOf(request)
    if (request.method === "GET" || request.method === "HEAD") return
    if (adminRightsFrom !== null && adminRightsFrom > clock.now()) {
      throw new DomainError("admin_rights_pending", { message: pendingText(adminRightsFrom) })
    }
  })
}

function pendingText(from: Date): string {
  return `Os seus direitos de administrador começam em ${momentText(from.toISOString())}. Até lá você consulta, sem alterar nada.`
}

/** For verbs that find out by their data whether they need it. */
export function proofOf(request: FastifyRequest, { protection }: Pick<Deps, "protection">): Proof {
  const { person, isFresh, apiKeyId } = sellerOf(request)
  return { userId: person.id, isFresh, isProgram: apiKeyId !== null, protection }
}

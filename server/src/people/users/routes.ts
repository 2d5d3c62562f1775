import { updateMyPasswordEndpoint } from "@tilinta/contract/auth"
import {
  deleteMyAccountEndpoint,
  exportMyDataEndpoint,
  getMeEndpoint,
  getMyBalanceEndpoint,
  resendEmailConfirmationEndpoint,
  updateMeEndpoint,
} from "@tilinta/contract/users"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { createTokenBuckets, type Limits } from "#http/rate-limits"
import { serveEndpoint } from "#http/serve-endpoint"
import { deleteAccount } from "#integrations/account-deletions/delete-account"
import { type Clock, saoPauloDay } from "#kit/clock"
import { DomainError } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import { readSellerBalance, readSellerBlocked } from "#money/payments/reads"
import { readToCome } from "#money/reserves/reads"
import { exportPersonalData } from "#overviews/personal-data/export"
import { findRequiredAction, proofOf } from "#people/second-factors/guard"
import { actorOf, bearerTokenOf, sellerOf } from "#people/sessions/caller"
import { listShopsOf } from "#people/team/reads"
import type { ExportDeps } from "#platform/audit/export"
import { deviceOf } from "./auth-routes.ts"
import { resendConfirmation } from "./change-email.ts"
import { changePassword, type PasswordProof } from "./passwords.ts"
import { getUser } from "./reads.ts"
import { updateProfile } from "./update-profile.ts"
import { toOwnShopViews, toUserView } from "./views.ts"

export function usersRoutes(app: FastifyInstance, deps: ExportDeps & { protection: Protection }): void {
  const { db } = deps
  serveEndpoint(app, getMeEndpoint, async ({ request }) => {
    const seller = sellerOf(request)
    const [user, balance, requiredAction, shops] = await Promise.all([
      getUser(db, seller.id),
      readSellerBalance(db, seller.id),
      findRequiredAction(deps, seller),
      listShopsOf(db, seller.id),
    ])
    return {
      user: toUserView(user, balance, { requiredAction, shops }),
      shops: toOwnShopViews(shops),
    }
  })

  serveEndpoint(app, getMyBalanceEndpoint, async ({ request }) => {
    const { id } = sellerOf(request)
    const [balance, blocked, toCome] = await Promise.all([
      readSellerBalance(db, id),
      readSellerBlocked(db, id),
      readToCome(db, id),
    ])
    return { balance: reaisFromCents(balance), blocked: reaisFromCents(blocked), toCome: reaisFromCents(toCome) }
  })

  serveEndpoint(app, updateMeEndpoint, async ({ body, request }) => {
    const user = await updateProfile(deps, actorOf(request), body, proofOf(request, deps))
    const [balance, shops] = await Promise.all([readSellerBalance(db, user.id), listShopsOf(db, user.id)])
    return { user: toUserView(user, balance, { shops }) }
  })

  serveEndpoint(app, exportMyDataEndpoint, async ({ request }) => {
    const content = await exportPersonalData(deps, actorOf(request))
    return { name: `meus_dados_${saoPauloDay(deps.clock.now())}.zip`, content }
  })

  serveEndpoint(app, deleteMyAccountEndpoint, async ({ request }) => {
    await deleteAccount(deps, actorOf(request))
  })

  serveEndpoint(app, resendEmailConfirmationEndpoint, async ({ request }) => {
    await resendConfirmation(deps, sellerOf(request).id)
    return { message: "Enviamos outro link para o seu e-mail." }
  })
}

export function passwordRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, updateMyPasswordEndpoint, async ({ body, request }) => {
    await changePassword(deps, {
      userId: sellerOf(request).id,
      passwordCurrent: body.passwordCurrent,
      password: body.password,
      token: bearerTokenOf(request) ?? "",
      address: request.ip,
      device: deviceOf(request),
    })
    return { message: "Senha atualizada com sucesso!" }
  })
}

/** A key's scope was confirmed when the key was created, a fresh session by its step-up: one proof is enough. */
export function passwordProofOf(
  request: FastifyRequest,
  passwordCurrent: string | null | undefined,
): PasswordProof | null {
  const { person, apiKeyId, isFresh } = sellerOf(request)
  const isSent = passwordCurrent !== undefined && passwordCurrent !== null
  if (apiKeyId !== null || (isFresh && !isSent)) return null
  return { userId: person.id, passwordCurrent: passwordCurrent ?? "", address: request.ip, device: deviceOf(request) }
}

/** A confirmation holds for five minutes, so nobody honest needs more; right ones count, too. */
const tries = { burst: 10, perSecond: 1 / 30, keys: 20_000 }
/** Each is a row that lives for five minutes. */
const challenges = { burst: 30, perSecond: 1 / 10, keys: 20_000 }
/** Each sends requests to any address outside, with ten seconds of patience: twenty a minute. */
const sends = { burst: 20, perSecond: 1 / 3, keys: 20_000 }

const uploads = { burst: 20, perSecond: 1 / 10, keys: 20_000 }

/** A rate limit per person for the calls by which a session proves itself, whatever its address. Call it after the login. */
export function limitTries(scope: FastifyInstance, deps: { clock: Clock }): void {
  limitPeople(scope, deps, tries)
}

export function limitChallenges(scope: FastifyInstance, deps: { clock: Clock }): void {
  limitPeople(scope, deps, challenges)
}

/** However many sessions and keys a person has. */
export function limitSends(scope: FastifyInstance, deps: { clock: Clock }): void {
  limitPeople(scope, deps, sends)
}

/** Each takes a process for a moment, and nobody honest sends many. */
export function limitUploads(scope: FastifyInstance, deps: { clock: Clock }): void {
  limitPeople(scope, deps, uploads)
}

/** Bodies that are refused unread are no tries. */
function limitPeople(scope: FastifyInstance, { clock }: { clock: Clock }, limits: Limits): void {
  const buckets = createTokenBuckets(limits, clock)
  scope.addHook("preHandler", async (request) => {
    const retryAfterSeconds = buckets.takeFrom(buckets.of(sellerOf(request).id))
    if (retryAfterSeconds > 0) throw new DomainError("too_many_requests", { retryAfterSeconds })
  })
}

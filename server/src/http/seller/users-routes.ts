import {
  deleteMyAccountEndpoint,
  exportMyDataEndpoint,
  getMeEndpoint,
  getMyBalanceEndpoint,
  resendEmailConfirmationEndpoint,
  updateMeEndpoint,
} from "@tilinta/contract/api/users-endpoints"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import { deleteAccount } from "#domain/integrations/account-deletions/delete-account"
import { readSellerBalance, readSellerBlocked } from "#domain/money/payments/read-seller-balance"
import { exportPersonalData } from "#domain/overviews/personal-data/export-personal-data"
import { resendConfirmation } from "#domain/people/users/ask-confirmation"
import { getUser } from "#domain/people/users/get-user"
import { updateProfile } from "#domain/people/users/update-profile"
import type { ExportDeps } from "#domain/platform/audit/start-export"
import { serveEndpoint } from "#http/serve-endpoint"
import { proofOf } from "#http/step-up-guard"
import { toUserView } from "#http/user-view"
import type { Protection } from "#kit/protection"
import { saoPauloDay } from "#kit/sao-paulo-day"
import { readToCome } from "#money/reserves/reads"
import { actorOf, sellerOf } from "./session-of.ts"

export function usersRoutes(app: FastifyInstance, deps: ExportDeps & { protection: Protection }): void {
  const { db } = deps
  serveEndpoint(app, getMeEndpoint, async ({ request }) => {
    const { id } = sellerOf(request)
    const [user, balance] = await Promise.all([getUser(db, id), readSellerBalance(db, id)])
    return { user: toUserView(user, balance) }
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
    return { user: toUserView(user, await readSellerBalance(db, user.id)) }
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

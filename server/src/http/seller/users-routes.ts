import {
  getMeEndpoint,
  getMyBalanceEndpoint,
  resendEmailConfirmationEndpoint,
  updateMeEndpoint,
} from "@tilinta/contract/api/users-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { readSellerBalance, readSellerBlocked } from "#domain/money/payments/read-seller-balance"
import { resendConfirmation } from "#domain/people/users/ask-confirmation"
import { getUser } from "#domain/people/users/get-user"
import { updateProfile } from "#domain/people/users/update-profile"
import { serveEndpoint } from "#http/serve-endpoint"
import { proofOf } from "#http/step-up-guard"
import { toUserView } from "#http/user-view"
import type { Clock } from "#kit/clock"
import { reaisFromCents } from "#kit/money"
import type { Protection } from "#kit/protection"
import { actorOf, sellerOf } from "./session-of.ts"

export function usersRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock; protection: Protection }): void {
  const { db } = deps
  serveEndpoint(app, getMeEndpoint, async ({ request }) => {
    const { id } = sellerOf(request)
    const [user, balance] = await Promise.all([getUser(db, id), readSellerBalance(db, id)])
    return { user: toUserView(user, balance) }
  })

  serveEndpoint(app, getMyBalanceEndpoint, async ({ request }) => {
    const { id } = sellerOf(request)
    const [balance, blocked] = await Promise.all([readSellerBalance(db, id), readSellerBlocked(db, id)])
    return { balance: reaisFromCents(balance), blocked: reaisFromCents(blocked) }
  })

  serveEndpoint(app, updateMeEndpoint, async ({ body, request }) => {
    const user = await updateProfile(deps, actorOf(request), body, proofOf(request, deps))
    return { user: toUserView(user, await readSellerBalance(db, user.id)) }
  })

  serveEndpoint(app, resendEmailConfirmationEndpoint, async ({ request }) => {
    await resendConfirmation(deps, sellerOf(request).id)
    return { message: "Enviamos outro link para o seu e-mail." }
  })
}

import {
  forgotPasswordEndpoint,
  loginEndpoint,
  resetPasswordEndpoint,
  signupEndpoint,
} from "@tilinta/contract/api/auth-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { readSellerBalance } from "#domain/money/payments/read-seller-balance"
import { logIn } from "#domain/people/users/log-in"
import { requestPasswordReset } from "#domain/people/users/request-password-reset"
import { resetPassword } from "#domain/people/users/reset-password"
import { signUp } from "#domain/people/users/sign-up"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { serveEndpoint } from "#http/serve-endpoint"
import { sessionOriginOf } from "#http/session-origin"
import { toUserView } from "#http/user-view"
import type { Clock } from "#kit/clock"
import { noMoney } from "#kit/money"

interface Deps {
  db: Db
  clock: Clock
  simulatorUrl: string | null
}

export function authRoutes(app: FastifyInstance, deps: Deps): void {
  const isSandbox = deps.simulatorUrl !== null

  serveEndpoint(app, signupEndpoint, async ({ body, request }) => {
    const { user, token } = await signUp(
      { ...deps, isSandbox },
      { form: body, origin: sessionOriginOf(request), idempotencyKey: idempotencyKeyOf(request) },
    )
    return { token, data: { user: toUserView(user, noMoney) } }
  })

  serveEndpoint(app, loginEndpoint, async ({ body, request }) => {
    const { user, token } = await logIn(deps, { ...body, origin: sessionOriginOf(request) })
    return { token, data: { user: toUserView(user, await readSellerBalance(deps.db, user.id)) } }
  })

  serveEndpoint(app, forgotPasswordEndpoint, async ({ body }) => {
    await requestPasswordReset(deps, body.email)
    return { message: "Email de recuperação enviado. Verifique sua caixa de entrada." }
  })

  serveEndpoint(app, resetPasswordEndpoint, async ({ params, body, request }) => {
    await resetPassword(deps, { token: params.token, password: body.password, address: request.ip })
    return { message: "Senha redefinida com sucesso!" }
  })
}

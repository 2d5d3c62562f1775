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
import { deviceOf, rememberDeviceIn } from "#http/device-cookie"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { serveEndpoint } from "#http/serve-endpoint"
import { sessionOriginOf } from "#http/session-origin"
import { toUserView } from "#http/user-view"
import type { Clock } from "#kit/clock"
import { noMoney } from "#kit/money"
import type { SecretKeys } from "#kit/secret-box"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
  simulatorUrl: string | null
  publicUrl: string
}

export function authRoutes(app: FastifyInstance, deps: Deps): void {
  const isSandbox = deps.simulatorUrl !== null

  serveEndpoint(app, signupEndpoint, async ({ body, request, reply }) => {
    const { user, token, device } = await signUp(
      { ...deps, isSandbox },
      { form: body, origin: sessionOriginOf(request), idempotencyKey: idempotencyKeyOf(request) },
    )
    rememberDeviceIn(reply, device, deps.publicUrl)
    return { token, data: { user: toUserView(user, noMoney) } }
  })

  serveEndpoint(app, loginEndpoint, async ({ body, request, reply }) => {
    const origin = sessionOriginOf(request)
    const { user, token, device } = await logIn(deps, {
      ...body,
      code: body.code ?? null,
      origin,
      device: deviceOf(request),
    })
    rememberDeviceIn(reply, device, deps.publicUrl)
    return { token, data: { user: toUserView(user, await readSellerBalance(deps.db, user.id)) } }
  })

  serveEndpoint(app, forgotPasswordEndpoint, async ({ body }) => {
    await requestPasswordReset(deps, body.email)
    return { message: "Email de recuperação enviado. Verifique sua caixa de entrada." }
  })

  serveEndpoint(app, resetPasswordEndpoint, async ({ params, body, request, reply }) => {
    const reset = { token: params.token, password: body.password, address: request.ip }
    const { device } = await resetPassword(deps, reset)
    rememberDeviceIn(reply, device, deps.publicUrl)
    return { message: "Senha redefinida com sucesso!" }
  })
}

import {
  confirmNewEmailEndpoint,
  forgotPasswordEndpoint,
  loginEndpoint,
  resetPasswordEndpoint,
  signupEndpoint,
} from "@tilinta/contract/api/auth-endpoints"
import { passkeySignInOptionsEndpoint, signInByPasskeyEndpoint } from "@tilinta/contract/api/passkeys-endpoints"
import { noMoney } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { readSellerBalance } from "#domain/money/payments/read-seller-balance"
import { askForSignIn } from "#domain/people/second-factors/ask-for-passkey"
import { logIn } from "#domain/people/users/log-in"
import { logInByPasskey } from "#domain/people/users/log-in-by-passkey"
import { moveEmail } from "#domain/people/users/move-email"
import { requestPasswordReset } from "#domain/people/users/request-password-reset"
import { resetPassword } from "#domain/people/users/reset-password"
import { signUp } from "#domain/people/users/sign-up"
import { deviceOf, rememberDeviceIn } from "#http/device-cookie"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { serveEndpoint } from "#http/serve-endpoint"
import { sessionOriginOf } from "#http/session-origin"
import { toUserView } from "#http/user-view"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/protection"
import type { SecretKeys } from "#kit/secret-box"
import { holdAfterRecovery } from "#money/withdrawals/account"
import { limitAddresses } from "./limit-addresses.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
  protection: Protection
  simulatorUrl: string | null
  publicUrl: string
}

/** Each login page asks for one, and each is a row: an office opens a few a minute, a flood none. */
const challengesPerAddress = { burst: 100, perSecond: 1, keys: 20_000 }

/** In a scope of its own, which has a rate limit of its own. */
export function passkeyChallengeRoutes(app: FastifyInstance, deps: Deps): void {
  limitAddresses(app, deps, challengesPerAddress)
  serveEndpoint(app, passkeySignInOptionsEndpoint, async () => ({ publicKey: await askForSignIn(deps) }))
}

export function authRoutes(app: FastifyInstance, deps: Deps): void {
  const onRecovery = holdAfterRecovery(deps.protection)
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

  serveEndpoint(app, signInByPasskeyEndpoint, async ({ body, request, reply }) => {
    const login = { ...body, origin: sessionOriginOf(request), device: deviceOf(request) }
    const { user, token, device } = await logInByPasskey(deps, login)
    rememberDeviceIn(reply, device, deps.publicUrl)
    return { token, data: { user: toUserView(user, await readSellerBalance(deps.db, user.id)) } }
  })

  serveEndpoint(app, forgotPasswordEndpoint, async ({ body }) => {
    await requestPasswordReset(deps, body.email)
    return { message: "Email de recuperação enviado. Verifique sua caixa de entrada." }
  })

  serveEndpoint(app, resetPasswordEndpoint, async ({ params, body, request, reply }) => {
    const reset = { token: params.token, password: body.password, address: request.ip }
    const { device } = await resetPassword({ ...deps, onRecovery }, reset)
    rememberDeviceIn(reply, device, deps.publicUrl)
    return { message: "Senha redefinida com sucesso!" }
  })

  serveEndpoint(app, confirmNewEmailEndpoint, async ({ params, request }) => {
    await moveEmail({ ...deps, onRecovery }, { token: params.token, address: request.ip })
    return { message: "E-mail confirmado! Entre com o novo endereço." }
  })
}

import {
  confirmNewEmailEndpoint,
  forgotPasswordEndpoint,
  loginEndpoint,
  resetPasswordEndpoint,
  signupEndpoint,
} from "@tilinta/contract/auth"
import { passkeySignInOptionsEndpoint, signInByPasskeyEndpoint } from "@tilinta/contract/passkeys"
import type { UserView } from "@tilinta/contract/users"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { limitAddresses } from "#http/rate-limits"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/request-scope"
import type { SecretKeys } from "#kit/secrets"
import { readSellerBalance } from "#money/payments/reads"
import { delayAfterRecovery } from "#money/withdrawals/account"
import { findRequiredAction } from "#people/second-factors/guard"
import { askForSignIn } from "#people/second-factors/prove-passkey"
import { idempotencyKeyOf, sessionOriginOf } from "#people/sessions/caller"
import { refuseOfAnother } from "#people/team/invite"
import { listShopsOf } from "#people/team/reads"
import { moveEmail } from "./change-email.ts"
import { logIn, logInByPasskey } from "./log-in.ts"
import { requestPasswordReset, resetPassword } from "./reset-password.ts"
import type { User } from "./rules.ts"
import { signUp } from "./sign-up.ts"
import { toUserView } from "./views.ts"

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
  const onRecovery = delayAfterRecovery(deps.protection)
  const isSandbox = deps.simulatorUrl !== null

  async function ownView(user: User): Promise<UserView> {
    const [balance, requiredAction, shops] = await Promise.all([
      readSellerBalance(deps.db, user.id),
      findRequiredAction(deps, user),
      listShopsOf(deps.db, user.id),
    ])
    return toUserView(user, balance, { requiredAction, shops })
  }

  serveEndpoint(app, signupEndpoint, async ({ body, request, reply }) => {
    if (body.invitation) await refuseOfAnother(deps.db, { token: body.invitation, email: body.email }, deps.clock.now())
    const origin = sessionOriginOf(request)
    const { user, token, device } = await signUp(
      { ...deps, isSandbox },
      { form: body, origin, idempotencyKey: idempotencyKeyOf(request), isInvited: Boolean(body.invitation) },
    )
    rememberDeviceIn(reply, device, deps.publicUrl)
    return { token, data: { user: await ownView(user) } }
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
    return { token, data: { user: await ownView(user) } }
  })

  serveEndpoint(app, signInByPasskeyEndpoint, async ({ body, request, reply }) => {
    const login = { ...body, origin: sessionOriginOf(request), device: deviceOf(request) }
    const { user, token, device } = await logInByPasskey(deps, login)
    rememberDeviceIn(reply, device, deps.publicUrl)
    return { token, data: { user: await ownView(user) } }
  })

  serveEndpoint(app, forgotPasswordEndpoint, async ({ body, request }) => {
    await requestPasswordReset(deps, { email: body.email, ...sessionOriginOf(request) })
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

const yearSeconds = 365 * 24 * 60 * 60
const bound = /(?:^|;\s*)__Host-tilinta_device=([\w-]+)/
const plain = /(?:^|;\s*)tilinta_device=([\w-]+)/

/** A browser's proof that its user logged in here before. It opens nothing: it only passes the brake on wrong passwords. */
export function deviceOf(request: FastifyRequest): string | null {
  const cookies = request.headers.cookie ?? ""
  return (bound.exec(cookies) ?? plain.exec(cookies))?.[1] ?? null
}

/** By TLS under the prefix that binds a cookie to this host: no neighbour of the domain can set it. */
export function rememberDeviceIn(reply: FastifyReply, device: string | null, publicUrl: string): void {
  if (device === null) return
  const rules = `Max-Age=${yearSeconds}; HttpOnly; SameSite=Strict`
  const written = publicUrl.startsWith("https:")
    ? `__Host-tilinta_device=${device}; Path=/; Secure; ${rules}`
    : `tilinta_device=${device}; Path=/api/v1/auth; ${rules}`
  reply.header("set-cookie", written)
}
